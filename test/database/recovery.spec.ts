import { CLI } from '../../src/platform/audit/audit-entry.js';
import { SessionFamilies } from '../../src/auth/sessions/session-families.js';
import { UserChanges } from '../../src/auth/user-administration/user-changes.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { untilLocksAreAwaited } from '../support/database-activity.js';
import { eventually } from '../support/eventually.js';
import {
  PASSWORD,
  QUESTIONS,
  type Recovering,
  startRecovering,
  tokenOf,
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

const asked = (flow: string, by: object): Promise<[number, unknown]> =>
  here.outcome('verifyUser', { ...by, retrieveFlow: flow });

describe('POST /auth/verifyUser', () => {
  it('sends a link to the user of an address or a number, and none to anybody else', async () => {
    const user = await here.aUser();
    expect(await asked('password', { email: 'nobody@example.org' })).toEqual([200, '']);
    expect(await asked('password', { email: `\u00a0${user.email.toUpperCase()} ` })).toEqual([200, '']);
    expect(await here.outcome('verifyUser', { mobile: ` ${user.mobile}\u200b`, retrievalFlow: 'username' })).toEqual([
      200,
      '',
    ]);
    await eventually('both links are sent', () => here.sent.length === 2);
    const [reset] = here.sent.filter(({ event }) => event === 'password-reset-link');
    expect(reset).toMatchObject({
      userId: user.id,
      body: {
        recipient: { name: { firstname: 'Ann', surname: 'Musonda' }, email: user.email, mobile: user.mobile },
        token: expect.stringMatching(/^[\w-]{24}$/) as string,
        link: `https://login.example/recover?lang=en&token=${tokenOf(reset)}`,
      },
    });
    expect(here.sent.map(({ event }) => event).sort()).toEqual(['password-reset-link', 'username-reminder-link']);
  });

  it('answers the same bytes whether or not there is such a user', async () => {
    const user = await here.aUser();
    const answers = await Promise.all(
      [user.email, 'nobody@example.org'].map(async (email) => {
        const answer = await here.post('verifyUser', { email, retrieveFlow: 'password' });
        const changing = ['date', 'x-correlation-id'];
        const headers = [...answer.headers].filter(([name]) => !changing.includes(name));
        return [answer.status, headers, await answer.text()];
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    await eventually('the link is sent', () => here.sent.length === 1);
  });

  it('sends three links of a flow an hour, however often they are asked for, and keeps hashes alone', async () => {
    const user = await here.aUser();
    for (let time = 0; time < 3; time += 1) await here.aToken(user);
    for (let time = 0; time < 4; time += 1) await asked('password', { email: user.email });
    await here.aToken(user, 'username');
    expect(here.sent.map(({ event }) => event)).toEqual([
      ...Array<string>(3).fill('password-reset-link'),
      'username-reminder-link',
    ]);
    const rows = await here.database.database.query<{ readonly row: string }>(sql`
      select recovery_link::text as row from recovery_link where user_id = ${user.id}`);
    expect(rows).toHaveLength(4);
    for (const notice of here.sent) expect(JSON.stringify(rows)).not.toContain(tokenOf(notice));
    await here.database.database.query(sql`update recovery_link set expires_at = now() where user_id = ${user.id}`);
    expect(await here.outcome('verifyRecoveryToken', { token: tokenOf(here.sent[0]) })).toEqual(WRONG_TOKEN);
    await here.aToken(user);
  });

  it('sends nothing to a user who is deactivated', async () => {
    const user = await here.aUser();
    await here.service.app.get(UserChanges, { strict: false }).setStatus(user.id, 'deactivated', CLI);
    await asked('password', { email: user.email });
    await here.aToken(await here.aUser());
    expect(here.sent.filter(({ userId }) => userId === user.id)).toEqual([]);
  });

  it.each([
    [{ retrieveFlow: 'password' }, ['body: must have either email or mobile']],
    [{ email: 'a@b.co', mobile: '+260970000', retrieveFlow: 'password' }, ['body: must have either email or mobile']],
    [{ email: 'a@b.co' }, ['retrieveFlow: is required']],
    [
      { email: 'a@b.co', retrieveFlow: 'password', retrievalFlow: 'username' },
      ['retrievalFlow: must be the same as retrieveFlow'],
    ],
    [
      { email: 'a', retrieveFlow: 'x' },
      ['email: must be an e-mail address', 'retrieveFlow: must be password or username'],
    ],
    [
      { email: ['a@b.co'], userId: 1 },
      [
        'userId: is not a known key; allowed: email, mobile, retrieveFlow, retrievalFlow',
        'email: must be an e-mail address',
      ],
    ],
  ])('refuses %j', async (body, messages) => {
    here.fromElsewhere();
    const issues = messages.map((message) => ({ message }));
    expect(await here.outcome('verifyUser', body)).toEqual([
      400,
      { code: 'BAD_REQUEST', message: 'Input validation failed', issues },
    ]);
  });
});

describe('POST /auth/verifyRecoveryToken', () => {
  it('uses a link up: one of simultaneous requests gets the question, all others and later ones the same 401', async () => {
    const token = await here.aToken(await here.aUser());
    const answers = await Promise.all(Array.from({ length: 5 }, () => here.outcome('verifyRecoveryToken', { token })));
    const good = answers.filter(([status]) => status === 200);
    expect(good).toEqual([
      [
        200,
        {
          nonce: expect.stringMatching(/^[A-Za-z0-9+/]{22}==$/) as string,
          securityQuestionKey: 'BIRTH_TOWN',
          retrieveFlow: 'password',
        },
      ],
    ]);
    expect(answers.filter(([status]) => status !== 200)).toEqual(Array(4).fill(WRONG_TOKEN));
    expect(await here.outcome('verifyRecoveryToken', { token })).toEqual(WRONG_TOKEN);
    expect(await here.outcome('verifyRecoveryToken', { token: 'x'.repeat(24) })).toEqual(WRONG_TOKEN);
    expect((await here.outcome('verifyRecoveryToken', { token: 'x'.repeat(65) }))[0]).toBe(400);
    expect((await here.outcome('verifyRecoveryToken', { token, more: 1 }))[0]).toBe(400);
  });

  it('refuses the link of a user who was deactivated since', async () => {
    const user = await here.aUser();
    const token = await here.aToken(user);
    await here.service.app.get(UserChanges, { strict: false }).setStatus(user.id, 'deactivated', CLI);
    expect(await here.outcome('verifyRecoveryToken', { token })).toEqual(WRONG_TOKEN);
  });
});

describe('POST /auth/verifySecurityAnswer', () => {
  it('asks another question after a wrong answer, and takes a right one in any letter case', async () => {
    const nonce = await here.aNonce(await here.aUser());
    expect(await here.outcome('verifySecurityAnswer', { nonce, answer: 'Lusaka' })).toEqual([
      200,
      { matched: false, nonce, securityQuestionKey: 'HIGH_SCHOOL' },
    ]);
    expect(await here.outcome('changePassword', { nonce, newPassword: 'another password' })).toEqual(WRONG_NONCE);
    expect(await here.outcome('verifySecurityAnswer', { nonce, answer: ' MPELEMBE ' })).toEqual([
      200,
      { matched: true, nonce },
    ]);
    expect(await here.outcome('verifySecurityAnswer', { nonce, answer: 'Mpelembe' })).toEqual(WRONG_NONCE);
  });

  it('takes five answers, right and wrong, also when they come at once', async () => {
    const nonce = await here.aNonce(await here.aUser());
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => here.outcome('verifySecurityAnswer', { nonce, answer: 'Lusaka' })),
    );
    expect(answers.map(([status]) => status).sort()).toEqual([200, 200, 200, 200, 200, 401, 401, 401]);
    expect(await here.outcome('verifySecurityAnswer', { nonce, answer: QUESTIONS.BIRTH_TOWN })).toEqual(WRONG_NONCE);
  });
});

describe('POST /auth/changePassword', () => {
  it('sets the password once, and ends sessions, links and other steps', async () => {
    const user = await here.aUser();
    const sessions = here.service.app.get(SessionFamilies, { strict: false });
    const { refreshToken } = await sessions.begin({ userId: user.id });
    const later = await here.aToken(user);
    const nonce = await here.aNonce(user);
    await here.outcome('verifySecurityAnswer', { nonce, answer: QUESTIONS.BIRTH_TOWN });
    // Known of him, and refused; the step is still good.
    expect(await here.outcome('changePassword', { nonce, newPassword: user.email })).toMatchObject([
      400,
      { issues: [{ message: 'newPassword: is made of the names of its owner, which are tried first' }] },
    ]);
    const order = { nonce, newPassword: 'another password' };
    const answers = await Promise.all([here.outcome('changePassword', order), here.outcome('changePassword', order)]);
    expect(answers.sort(([one], [other]) => one - other)).toEqual([[200, ''], WRONG_NONCE]);
    expect(await here.outcome('verifyRecoveryToken', { token: later })).toEqual(WRONG_TOKEN);
    expect((await here.outcome('refreshToken', { token: refreshToken }))[0]).not.toBe(200);
    const signIn = (password: string): Promise<[number, unknown]> =>
      here.outcome('authenticate', { username: user.username, password });
    expect([(await signIn(PASSWORD))[0], (await signIn('another password'))[0]]).toEqual([401, 200]);
    const [row] = await here.database.database.query<{ readonly entry: unknown }>(sql`
      select request_data as entry from audit_log
       where client_id = ${user.id} and operation = 'user.changePassword'`);
    expect(row?.entry).toEqual({ securityQuestions: [] });
  });

  it('refuses what is no password, and questions that are none, before anything else', async () => {
    here.fromElsewhere();
    expect(await here.outcome('changePassword', { nonce: 'x', newPassword: 'short' })).toMatchObject([
      400,
      { issues: [{ message: expect.stringMatching(/^newPassword: must be text of /) as string }] },
    ]);
    const securityQuestions = [
      { questionKey: 'birth town', answer: '  ' },
      7,
      { questionKey: 'A', answer: 'b', ['c'.repeat(301)]: 1 },
    ];
    expect(
      await here.outcome('changePassword', { nonce: 'x', newPassword: 'another password', securityQuestions }),
    ).toEqual([
      400,
      {
        code: 'BAD_REQUEST',
        message: 'Input validation failed',
        issues: [
          'securityQuestions[0].questionKey: must be 1 to 64 capital letters, digits and `_`: BIRTH_TOWN',
          'securityQuestions[0].answer: must be text of 1 to 256 characters, not spaces alone',
          'securityQuestions[1]: must be an object',
          'securityQuestions[1].questionKey: must be 1 to 64 capital letters, digits and `_`: BIRTH_TOWN',
          'securityQuestions[1].answer: must be text of 1 to 256 characters, not spaces alone',
          `securityQuestions[2]["${'c'.repeat(300)}…"]: is not a known key; allowed: questionKey, answer`,
        ].map((message) => ({ message })),
      },
    ]);
  });
});

describe('POST /auth/sendUserName', () => {
  it('sends the user name once the question is answered, once', async () => {
    const user = await here.aUser();
    const nonce = await here.aNonce(user, 'username');
    expect(await here.outcome('sendUserName', { nonce })).toEqual(WRONG_NONCE);
    await here.outcome('verifySecurityAnswer', { nonce, answer: QUESTIONS.BIRTH_TOWN });
    expect(await here.outcome('changePassword', { nonce, newPassword: 'another password' })).toEqual(WRONG_NONCE);
    expect([await here.outcome('sendUserName', { nonce }), await here.outcome('sendUserName', { nonce })]).toEqual([
      [200, ''],
      WRONG_NONCE,
    ]);
    expect(here.sent.at(-1)).toMatchObject({
      event: 'username-reminder',
      userId: user.id,
      body: { username: user.username },
    });
    expect(await here.passwordOf(user)).toBe(here.passwordHash);
  });
});

/** Resolves once `count` transactions wait for locks. */
const waitingForLocks = (count: number): Promise<void> => untilLocksAreAwaited(here.database.database, count);

describe('a recovery that is under way', () => {
  it.each(['an address changes', 'the user is deactivated'])(
    'ends when %s, also while an attempt is being counted',
    async (what) => {
      const user = await here.aUser();
      const nonce = await here.aNonce(user);
      const changes = here.service.app.get(UserChanges, { strict: false });
      const ending = await here.database.database.transaction(async (transaction) => {
        await transaction.query(sql`update login_step set attempts = attempts + 1 where user_id = ${user.id}`);
        const ended =
          what === 'an address changes'
            ? changes.update(user.id, { email: `new-${user.email}` }, CLI)
            : changes.setStatus(user.id, 'deactivated', CLI);
        await Promise.race([ended, waitingForLocks(1)]);
        return { ended };
      });
      await ending.ended;
      expect(await here.outcome('verifySecurityAnswer', { nonce, answer: QUESTIONS.BIRTH_TOWN })).toEqual(WRONG_NONCE);
    },
  );
});
