import { Passwords } from '../../src/auth/users/passwords.js';
import { RecoveryLinks } from '../../src/auth/sessions/recovery-links.js';
import { RecoveryRequests } from '../../src/auth/sessions/recoveries.js';
import type { UserView } from '../../src/auth/users/user-view.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { untilLocksAreAwaited } from '../support/database-activity.js';
import { eventually } from '../support/eventually.js';
import {
  PASSWORD,
  QUESTIONS,
  type Recovering,
  startRecovering,
  WRONG_NONCE,
  WRONG_TOKEN,
} from '../support/recovering.js';

let here: Recovering;
beforeAll(async () => {
  here = await startRecovering();
});
afterAll(() => here.close());
beforeEach(() => {
  here.sent.length = 0;
});

const query = <Row>(statement: ReturnType<typeof sql>): Promise<Row[]> => here.database.database.query<Row>(statement);
const expire = (table: ReturnType<typeof sql>, { id }: UserView): Promise<unknown> =>
  query(sql`update ${table} set expires_at = clock_timestamp() - interval '1 second' where user_id = ${id}`);

describe('a recovery link', () => {
  it('is good for an hour, and so is its notice and the one with the user name', async () => {
    const user = await here.aUser();
    const nonce = await here.aNonce(user, 'username');
    await here.aToken(user);
    await here.outcome('verifySecurityAnswer', { nonce, answer: QUESTIONS.BIRTH_TOWN });
    await here.outcome('sendUserName', { nonce });
    expect(here.sent.map(({ event, goodSeconds }) => [event, goodSeconds])).toEqual([
      ['username-reminder-link', 3_600],
      ['password-reset-link', 3_600],
      ['username-reminder', 3_600],
    ]);
    const minutes = sql`round(extract(epoch from expires_at - clock_timestamp()) / 60)::int as minutes`;
    expect(await query(sql`select ${minutes} from recovery_link where user_id = ${user.id}`)).toEqual([
      { minutes: 60 },
    ]);
  });

  it('is one of three at most, also when several are asked for at the same moment', async () => {
    const user = await here.aUser();
    for (let time = 0; time < 2; time += 1) await here.aToken(user);
    const { database } = here.database;
    await database.transaction(async (transaction) => {
      await transaction.query(sql`select from user_account where user_id = ${user.id} for no key update`);
      for (let time = 0; time < 2; time += 1) {
        await here.outcome('verifyUser', { email: user.email, retrieveFlow: 'password' });
      }
      // Both have found that there are two.
      await untilLocksAreAwaited(database, 2);
    });
    // It waits for the user behind them.
    await here.outcome('verifyUser', { email: user.email, retrieveFlow: 'username' });
    const flows = (): Promise<{ readonly flow: string }[]> =>
      query(sql`select flow from recovery_link where user_id = ${user.id} order by flow`);
    await eventually('the last link is made', async () => (await flows()).some(({ flow }) => flow === 'username'));
    expect(await flows()).toEqual([...Array<object>(3).fill({ flow: 'password' }), { flow: 'username' }]);
  });

  it('of somebody who is deactivated is refused as any other that is not good', async () => {
    const user = await here.aUser();
    const token = await here.aToken(user);
    await query(sql`update user_account set status = 'deactivated' where user_id = ${user.id}`);
    expect(await here.outcome('verifyRecoveryToken', { token })).toEqual(WRONG_TOKEN);
  });
});

describe('the nonce of a recovery', () => {
  it('tells nothing of its user before the question is answered, nor in another flow, nor later than it is good', async () => {
    const user = await here.aUser();
    // Of a good nonce it is a 400, as it is made of what is known of him.
    const ownAddress = (nonce: string) => here.outcome('changePassword', { nonce, newPassword: user.email });
    const [nonce, ofName] = [await here.aNonce(user), await here.aNonce(user, 'username')];
    expect([await ownAddress(nonce), await ownAddress(ofName)]).toEqual([WRONG_NONCE, WRONG_NONCE]);
    for (const each of [nonce, ofName]) {
      await here.outcome('verifySecurityAnswer', { nonce: each, answer: QUESTIONS.BIRTH_TOWN });
    }
    expect([(await ownAddress(nonce))[0], await ownAddress(ofName)]).toEqual([400, WRONG_NONCE]);
    await expire(sql`login_step`, user);
    expect(await ownAddress(nonce)).toEqual(WRONG_NONCE);
  });

  it('that ends while its answer is compared has not been answered', async () => {
    const user = await here.aUser();
    const nonce = await here.aNonce(user);
    const passwords = here.service.app.get(Passwords, { strict: false });
    const matches = passwords.matches.bind(passwords);
    jest.spyOn(passwords, 'matches').mockImplementationOnce(async (...compared) => {
      const isRight = await matches(...compared);
      await expire(sql`login_step`, user);
      return isRight;
    });
    expect(await here.outcome('verifySecurityAnswer', { nonce, answer: QUESTIONS.BIRTH_TOWN })).toEqual(WRONG_NONCE);
  });

  it('is none of a login, whose attempts it leaves', async () => {
    const user = await here.aUser();
    const [, begun] = await here.outcome('authenticate', { username: user.username, password: PASSWORD });
    const { nonce } = begun as { readonly nonce: string };
    await eventually('the code is sent', () => here.sent.length > 0);
    for (let time = 0; time < 5; time += 1) {
      expect(await here.outcome('verifySecurityAnswer', { nonce, answer: 'x' })).toEqual(WRONG_NONCE);
    }
    expect(await query(sql`select attempts from login_step where user_id = ${user.id}`)).toEqual([{ attempts: 0 }]);
  });
});

describe('requests of links', () => {
  const requests = () => here.service.app.get(RecoveryRequests, { strict: false });
  const ask = (email: string, address = '10.7.0.1') => requests().add({ by: { email }, flow: 'password', address });
  const recorded = () => query<{ readonly email: string }>(sql`select email from recovery_request order by email`);
  const record = (count: number, network: string): Promise<unknown> =>
    query(sql`
      insert into recovery_request (request_id, email, flow, network, expires_at)
      select gen_random_uuid(), 'nobody' || at || '@example.org', 'password', ${network},
             clock_timestamp() + interval '1 day'
        from generate_series(1, ${count}::int) at`);
  /** Nothing is served meanwhile. */
  const whileNoneIsServed = async (work: () => Promise<void>): Promise<void> => {
    const stopped = jest.spyOn(requests(), 'run').mockResolvedValue();
    await eventually('what had begun is served', async () => (await recorded()).length === 0);
    await work();
    stopped.mockRestore();
  };

  it('are recorded when they are answered, whoever they are about, and served whatever comes between', async () => {
    const user = await here.aUser();
    await whileNoneIsServed(async () => {
      for (const email of [user.email, 'nobody@example.org']) {
        expect(await here.outcome('verifyUser', { email, retrieveFlow: 'password' })).toEqual([200, '']);
      }
      expect(await recorded()).toEqual([{ email: user.email }, { email: 'nobody@example.org' }]);
    });
    await eventually('the link is sent', () => here.sent.length === 1);
    await eventually('none is left', async () => (await recorded()).length === 0);
  });

  it('are tried until they are served when the database has failed', async () => {
    const user = await here.aUser();
    const links = here.service.app.get(RecoveryLinks, { strict: false });
    const broken = jest.spyOn(links, 'mayAsk').mockRejectedValue(new Error('Connection terminated'));
    await ask(user.email);
    await eventually('it has failed', () => broken.mock.calls.length > 0);
    expect(await recorded()).toEqual([{ email: user.email }]);
    broken.mockRestore();
    await eventually('the link is sent', () => here.sent.length === 1);
  });

  it('that cannot be recorded are refused, whoever they are about', async () => {
    const user = await here.aUser();
    await query(sql`
      create function full_disk() returns trigger language plpgsql as
      $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$`);
    await query(sql`create trigger full_disk before insert on recovery_request execute function full_disk()`);
    const answers = [];
    for (const email of [user.email, 'nobody@example.org']) {
      answers.push(await here.outcome('verifyUser', { email, retrieveFlow: 'password' }));
    }
    await query(sql`drop function full_disk cascade`);
    const refused = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }) as object;
    expect(answers).toEqual(Array(2).fill([503, refused]));
  });

  it('past 1,000, or 250 of a network, are refused, and every one that was taken is served', async () => {
    const late = 'Too many links are being asked for; try again later';
    const user = await here.aUser();
    await whileNoneIsServed(async () => {
      await record(249, '10.7.0.1');
      await ask(user.email);
      await expect(ask('late@example.org')).rejects.toThrow(late);
      await ask('early@example.org', '10.7.0.2');
      await record(749, '10.7.0.3');
      await expect(ask('late@example.org', '10.7.0.4')).rejects.toThrow(late);
    });
    await eventually('the link is sent', () => here.sent.length === 1);
    await eventually('none is left', async () => (await recorded()).length === 0);
  });
});
