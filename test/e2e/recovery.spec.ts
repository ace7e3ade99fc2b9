import { once } from 'node:events';
import type { UserView } from '../../src/auth/users/user-view.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { type RunningApplication, startApplication } from '../support/application.js';
import { OFFICE } from '../support/areas.js';
import { aSecretsKey } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { answers, hangs, type ScriptedSubscriber, startScriptedSubscriber } from '../support/scripted-subscriber.js';

const SECRETS_KEY = aSecretsKey();
const PASSWORD = 'my first password';
const EMAIL = 'k.mweene@example.org';

let database: TestDatabase;
let country: ScriptedSubscriber;
let service: RunningApplication;
let user: UserView;
/** Of the first process, whose key stays that of the service. */
let issuer: RunningApplication['issuer'];

const start = (): Promise<RunningApplication> =>
  startApplication({
    ownProcess: true,
    database,
    env: { SECRETS_KEY, COUNTRY_CONFIG_URL: `http://127.0.0.1:${country.port}` },
  });

beforeAll(async () => {
  database = await createTestDatabase();
  country = await startScriptedSubscriber({ tls: false });
  await database.database.query(sql`
    insert into place (id, kind, name, part_of, location_type) values (${OFFICE}, 'location', 'Office', null, 'CRVS_OFFICE')`);
  service = await start();
  ({ issuer } = service);
});
afterAll(async () => {
  await service.stop();
  await country.close();
  await database.drop();
});

interface Posted {
  readonly code?: string;
  readonly token?: string;
  readonly username?: string;
}

/** What the country configuration was told last, once there have been `count` of the event. */
async function told(event: string, count = 1): Promise<Posted> {
  const all = (): readonly Posted[] =>
    country.notifications
      .filter(({ target }) => target === `/trigger/user/${event}`)
      .map(({ body }) => JSON.parse(body.toString()) as Posted);
  await eventually(`${count} of ${event}`, () => all().length >= count);
  return all().at(-1) ?? {};
}

const administer = async (path: string, body?: object) => {
  const token = await issuer.token({ sub: 'admin', userType: 'user', scope: ['natlsysadmin', 'sysadmin'] });
  return service.request('POST', path, { listener: 'internal', token, ...(body && { body }) });
};
const post = (path: string, body: object) => service.request('POST', `/auth/${path}`, { body });

async function begun(token = ''): Promise<{ readonly nonce: string; readonly securityQuestionKey: string | null }> {
  const { json } = await post('verifyRecoveryToken', { token });
  return json as Awaited<ReturnType<typeof begun>>;
}
const noticesLeft = (): Promise<readonly unknown[]> =>
  database.database.query(sql`select from user_notice where body_sealed is not null`);

describe('a user of the whole service', () => {
  it('gets the link to the first password although the process was killed while sending it', async () => {
    country.behave(hangs);
    const body = {
      ...{ username: 'k.mweene', name: { firstname: 'Kennedy', surname: 'Mweene' }, role: 'LOCAL_REGISTRAR' },
      ...{ primaryOfficeId: OFFICE, email: EMAIL },
    };
    const { status, json } = await administer('/users', body);
    user = json as UserView;
    expect([status, user.status]).toEqual([201, 'pending']);
    const { token: first } = await told('user-created');
    service.process.kill('SIGKILL');
    await once(service.process, 'exit');
    country.behave(answers(200));
    service = await start();
    const { token, username } = await told('user-created', 2);
    expect([token, username]).toEqual([first, 'k.mweene']);
    await eventually('it is erased', async () => (await noticesLeft()).length === 0);
  });

  it('becomes active with a password of his own, and signs in with the code that he is sent', async () => {
    const { nonce, securityQuestionKey } = await begun((await told('user-created')).token);
    const securityQuestions = [
      { questionKey: 'BIRTH_TOWN', answer: 'Kabwe' },
      { questionKey: 'MOTHER_NAME', answer: 'Mary Banda' },
    ];
    const changed = await post('changePassword', { nonce, newPassword: PASSWORD, securityQuestions });
    expect([securityQuestionKey, changed.status, changed.body]).toEqual([null, 200, '']);
    const login = await post('authenticate', { username: 'k.mweene', password: PASSWORD });
    const { code = '' } = await told('2fa');
    const session = await post('verifyCode', { nonce: (login.json as { nonce: string }).nonce, code });
    expect([login.status, session.status]).toEqual([200, 200]);
  });

  it('recovers his user name by a link and an answer', async () => {
    const known = await post('verifyUser', { email: EMAIL, retrieveFlow: 'username' });
    const unknown = await post('verifyUser', { email: 'nobody@example.org', retrieveFlow: 'username' });
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    const { nonce, securityQuestionKey } = await begun((await told('username-reminder-link')).token);
    expect(securityQuestionKey).toBe('BIRTH_TOWN');
    const wrong = await post('verifySecurityAnswer', { nonce, answer: 'Lusaka' });
    expect(wrong.json).toEqual({ matched: false, nonce, securityQuestionKey: 'MOTHER_NAME' });
    const right = await post('verifySecurityAnswer', { nonce, answer: '  mary  BANDA ' });
    expect(right.json).toEqual({ matched: true, nonce });
    expect((await post('sendUserName', { nonce })).status).toBe(200);
    expect((await told('username-reminder')).username).toBe('k.mweene');
    expect((await post('sendUserName', { nonce })).status).toBe(401);
  });

  it('loses his password and sessions to an administrator, and sets another by the link', async () => {
    const login = await post('authenticate', { username: 'k.mweene', password: PASSWORD });
    const { code = '' } = await told('2fa', 2);
    const session = await post('verifyCode', { nonce: (login.json as { nonce: string }).nonce, code });
    const { refreshToken } = session.json as { readonly refreshToken: string };
    const reset = await administer(`/users/${user.id}/reset-password`);
    expect([reset.status, (reset.json as UserView).status]).toEqual([200, 'active']);
    const refused = await Promise.all([
      post('authenticate', { username: 'k.mweene', password: PASSWORD }),
      post('refreshToken', { token: refreshToken }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([401, 401]);
    const { nonce } = await begun((await told('password-reset-link')).token);
    expect((await post('changePassword', { nonce, newPassword: 'my second password' })).status).toBe(200);
    const again = await post('authenticate', { username: 'k.mweene', password: 'my second password' });
    expect(again.status).toBe(200);
    await told('2fa', 3);
    expect((await administer(`/users/${OFFICE}/reset-password`)).status).toBe(404);
  });

  it('leaves nothing secret in the log', () => {
    const secrets = country.notifications
      .map(({ body }) => JSON.parse(body.toString()) as Posted)
      .flatMap(({ code, token }) => [code, token].filter((secret) => secret !== undefined));
    const log = JSON.stringify(service.log);
    expect(secrets.length).toBeGreaterThan(5);
    // Six digits alone may be part of a time.
    const inLog = (secret: string): boolean => log.includes(secret.length > 6 ? secret : `"${secret}"`);
    expect([...secrets, PASSWORD, 'Kabwe'].filter(inLog)).toEqual([]);
  });
});
