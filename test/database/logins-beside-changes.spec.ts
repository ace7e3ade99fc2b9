import { CLI } from '../../src/platform/audit/audit-entry.js';
import { Passwords } from '../../src/auth/users/passwords.js';
import { SessionFamilies } from '../../src/auth/sessions/session-families.js';
import { UserChanges } from '../../src/auth/user-administration/user-changes.js';
import type { UserView } from '../../src/auth/users/user-view.js';
import type { Transaction } from '../../src/platform/database/pools/connections.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { untilLocksAreAwaited } from '../support/database-activity.js';
import { PASSWORD, type Recovering, startRecovering } from '../support/recovering.js';

let recovering: Recovering;
beforeAll(async () => {
  recovering = await startRecovering();
});
afterAll(() => recovering.close());

const WRONG_PASSWORD = [401, { code: 'UNAUTHORIZED', message: 'username or password is wrong' }];
const WRONG_CODE = [401, { code: 'UNAUTHORIZED', message: 'nonce or code is wrong, or has expired' }];

const logIn = (user: UserView): Promise<[number, unknown]> =>
  recovering.outcome('authenticate', { username: user.username, password: PASSWORD });
const lastCode = (): string => (recovering.sent.at(-1)?.body as { readonly code: string }).code;

/** Does it when the next password has been compared, and before anything follows from that. */
function onceCompared(work: () => Promise<unknown>): void {
  const passwords = recovering.service.app.get(Passwords, { strict: false });
  const matches = passwords.matches.bind(passwords);
  jest.spyOn(passwords, 'matches').mockImplementationOnce(async (...compared) => {
    const isRight = await matches(...compared);
    await work();
    return isRight;
  });
}

/** Changes the password, as `changePassword` does. */
async function changePassword(transaction: Transaction, user: UserView): Promise<void> {
  await transaction.query(sql`update user_account set password_hash = 'another' where user_id = ${user.id}`);
  await recovering.service.app.get(SessionFamilies, { strict: false }).endAllOf(transaction, user.id);
}

describe('a login that is under way when its user changes', () => {
  it('does not begin with a password that has been replaced since it was compared', async () => {
    const user = await recovering.aUser();
    const { database } = recovering.database;
    onceCompared(() => database.transaction((transaction) => changePassword(transaction, user)));
    expect(await logIn(user)).toEqual(WRONG_PASSWORD);
    expect(await database.query(sql`select from login_step where user_id = ${user.id}`)).toEqual([]);
  });

  it('has its code sent to the address that the user has by then', async () => {
    const user = await recovering.aUser();
    const email = 'another@example.org';
    const changes = recovering.service.app.get(UserChanges, { strict: false });
    onceCompared(() => changes.update(user.id, { email }, CLI));
    expect(await logIn(user)).toEqual([
      200,
      { nonce: expect.any(String) as string, mobile: user.mobile, email, status: 'active' },
    ]);
    expect(recovering.sent.at(-1)?.body.recipient).toMatchObject({ email });
  });

  it('ends with a former password even while its code is being tried or sent again', async () => {
    const user = await recovering.aUser();
    const [, { nonce }] = (await logIn(user)) as [number, { nonce: string }];
    const { database } = recovering.database;
    let ending: Promise<void> | undefined;
    await database.transaction(async (transaction) => {
      await transaction.query(sql`update login_step set attempts = attempts + 1 where user_id = ${user.id}`);
      ending = database.transaction((other) => changePassword(other, user));
      await untilLocksAreAwaited(database);
    });
    await ending;
    expect(await recovering.outcome('verifyCode', { nonce, code: lastCode() })).toEqual(WRONG_CODE);
  });
});
