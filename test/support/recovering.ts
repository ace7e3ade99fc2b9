import { CLI } from '../../src/platform/audit/audit-entry.js';
import type { Notice } from '../../src/auth/notices/notice-outbox.js';
import { Passwords } from '../../src/auth/users/passwords.js';
import { Users } from '../../src/auth/users/users.js';
import type { UserView } from '../../src/auth/users/user-view.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { JSON_TYPE, serve, type Service } from './auth-service.js';
import { aUuid } from './builders/a-uuid.js';
import { eventually } from './eventually.js';
import { noticesSentBy } from './notices-sent-by.js';
import { createTestDatabase, type TestDatabase } from './postgres.js';

export const OFFICE = aUuid(1);
export const PASSWORD = 'correct horse battery';
/** The security questions of users, in the order in which they are asked, and the answers. */
export const QUESTIONS = { BIRTH_TOWN: 'Kabwe  Central', HIGH_SCHOOL: 'Mpelembe' };

export const WRONG_TOKEN = [401, { code: 'UNAUTHORIZED', message: 'token is wrong, or has expired' }];
export const WRONG_NONCE = [
  401,
  { code: 'UNAUTHORIZED', message: 'nonce is wrong or has expired, or a step before this one is missing' },
];

/** The token of the link in a notice. */
export const tokenOf = (notice: Notice | undefined): string =>
  (notice?.body as { readonly token: string } | undefined)?.token ?? '';

/** A service of which users recover their passwords. */
export interface Recovering {
  readonly database: TestDatabase;
  readonly service: Service;
  /** What was sent to users. */
  readonly sent: Notice[];
  /** The Argon2id hash of `PASSWORD`. */
  readonly passwordHash: string;
  /** An active user with `PASSWORD` and `QUESTIONS`. What is asked next comes from an address of his own. */
  aUser(): Promise<UserView & { readonly email: string }>;
  /** As from an address that has asked for nothing yet. */
  fromElsewhere(): void;
  post(path: string, body: unknown): Promise<Response>;
  /** Status and body of the answer; '' for an empty one. */
  outcome(path: string, body: unknown): Promise<[number, unknown]>;
  /** The token of a link that the user has asked for. */
  aToken(user: { readonly email: string }, flow?: string): Promise<string>;
  /** The nonce that such a link leads to. */
  aNonce(user: { readonly email: string }, flow?: string): Promise<string>;
  passwordOf(user: UserView): Promise<string | null | undefined>;
  close(): Promise<void>;
}

export async function startRecovering(): Promise<Recovering> {
  const database = await createTestDatabase();
  await database.database.query(sql`
    insert into place (id, kind, name, part_of, location_type) values (${OFFICE}, 'location', 'Office', null, 'CRVS_OFFICE')`);
  const LOGIN_URL = 'https://login.example/recover?lang=en';
  const service = await serve(database, { TRUSTED_PROXIES: '127.0.0.1', LOGIN_URL });
  const users = service.app.get(Users, { strict: false });
  const passwords = service.app.get(Passwords, { strict: false });
  const passwordHash = await passwords.hash(PASSWORD);
  const securityQuestions = JSON.stringify([
    { key: 'BIRTH_TOWN', answerHash: await passwords.hash('kabwe central') },
    { key: 'HIGH_SCHOOL', answerHash: await passwords.hash('mpelembe') },
  ]);
  const sent = noticesSentBy(service);
  let count = 0;
  const post: Recovering['post'] = (path, body) => {
    const headers = { ...JSON_TYPE, 'x-forwarded-for': `10.0.0.${count}` };
    return fetch(`${service.url}/auth/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const outcome: Recovering['outcome'] = async (path, body) => {
    const answer = await post(path, body);
    const text = await answer.text();
    return [answer.status, text === '' ? '' : JSON.parse(text)];
  };
  const aToken: Recovering['aToken'] = async ({ email }, flow = 'password') => {
    const links = (): readonly Notice[] => sent.filter(({ body }) => body.recipient.email === email);
    const before = links().length;
    await outcome('verifyUser', { email, retrieveFlow: flow });
    await eventually('the link is sent', () => links().length > before);
    return tokenOf(links().at(-1));
  };
  return {
    database,
    service,
    sent,
    passwordHash,
    post,
    outcome,
    aToken,
    aUser: async () => {
      count += 1;
      const [name, email] = [{ firstname: 'Ann', surname: 'Musonda' }, `User${count}@example.org`];
      const user = await users.create(
        {
          username: `user${count}`,
          name,
          role: 'LOCAL_REGISTRAR',
          primaryOfficeId: OFFICE,
          email,
          mobile: `+26097${count}000`,
          passwordHash,
        },
        CLI,
      );
      await database.database.query(sql`
        update user_account set security_questions = ${securityQuestions}::jsonb where user_id = ${user.id}`);
      return { ...user, email };
    },
    fromElsewhere: () => {
      count += 1;
    },
    aNonce: async (user, flow) => {
      const [, body] = await outcome('verifyRecoveryToken', { token: await aToken(user, flow) });
      return (body as { nonce: string }).nonce;
    },
    passwordOf: async (user) => (await users.findStored(user.id))?.passwordHash,
    close: async () => {
      await service.close();
      await database.drop();
    },
  };
}
