import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { decodeJwt } from 'jose';
import type { UserView } from '../../src/auth/users/user-view.js';
import { sql } from '../../src/kernel/sql/sql.js';
import type { RunningApplication } from '../support/application.js';
import { OFFICE } from '../support/areas.js';
import { aSecretsKey, filesIn, matricula, succeed } from '../support/command-line.js';
import { type AnsweredEvent, course, eventCaller, startEventService } from '../support/event-service.js';
import { HANG_MS } from '../support/time-outs.js';

const PASSWORD = 'correct horse battery';
/** Their user names are those of upstream's own end-to-end tests. */
const [CLERK, REGISTRAR, ADMINISTRATOR] = ['k.bwalya', 'k.mweene', 'j.campbell'];

let running: Awaited<ReturnType<typeof startEventService>>;
let service: RunningApplication;
let env: Readonly<Record<string, string>>;
let directory: string;
beforeAll(async () => {
  const SECRETS_KEY = aSecretsKey();
  running = await startEventService({ SECRETS_KEY, TWO_FA_ENABLED: 'false' });
  ({ service } = running);
  env = { SECRETS_KEY, DATABASE_URL: running.database.url };
  directory = await mkdtemp(join(tmpdir(), 'matricula-users-'));
});
afterAll(async () => {
  await running.stop();
  await rm(directory, { recursive: true });
});

const person = (username: string, role: string, more: object = {}): object => ({
  ...{ username, name: { firstname: 'Ana', surname: 'Musonda' }, role, primaryOfficeId: OFFICE },
  ...more,
});

interface Session {
  readonly token: string;
  readonly refreshToken: string;
}

const post = (path: string, body: object, token?: string) =>
  service.request('POST', path, { body, ...(token !== undefined && { token }) });

/** As a client of upstream's signs in, where the code is always the same. */
async function signIn(username: string): Promise<Session> {
  const { json } = await post('/auth/authenticate', { username, password: PASSWORD });
  const { nonce } = json as { nonce: string };
  return (await post('/auth/verifyCode', { nonce, code: '000000' })).json as Session;
}

describe('matricula users', () => {
  it('imports users from a file, and names every fault of a line that it rejects in a file beside it', async () => {
    const lines = [
      person(CLERK, 'HOSPITAL_CLERK', { password: PASSWORD }),
      person(REGISTRAR, 'LOCAL_REGISTRAR', { password: PASSWORD, email: 'k.mweene@example.org' }),
      person('n.new', 'LOCAL_REGISTRAR'),
      person('n.else', 'KING', { primaryOfficeId: randomUUID(), password: 'short', mobile: 911 }),
      person('n.where', 'KING', { primaryOfficeId: randomUUID() }),
    ];
    const file = await filesIn(() => directory)('users.ndjson', lines.map((line) => JSON.stringify(line)).join('\n'));
    const outcome = await matricula(['users', 'import', file, '--json'], env);
    expect([outcome.code, JSON.parse(outcome.stdout)]).toEqual([0, { imported: 3, unchanged: 0, rejected: 2 }]);
    expect(outcome.stderr).toContain(`The rejected lines and their faults are in ${file}.rejected.ndjson.`);
    const rejected = (await readFile(`${file}.rejected.ndjson`, 'utf8')).trimEnd().split('\n');
    const faults = rejected.map((line) => JSON.parse(line) as { line: number; issues: { message: string }[] });
    expect(faults.map(({ line, issues }) => [line, ...issues.map(({ message }) => message)])).toEqual([
      [4, expect.stringMatching(/^mobile: /), 'password: must be text of 8 to 256 characters'],
      [5, expect.stringMatching(/^role: must be one of /), 'primaryOfficeId: must be the id of a location'],
    ]);
    expect(await succeed(['users', 'import', file], env)).toBe('0 imported, 3 there already, 2 rejected\n');
  });

  it('creates a user with a password that is on no command line, and says who is there', async () => {
    const arguments_ = ['--username', ADMINISTRATOR, '--firstname', 'Jonathan', '--surname', 'Campbell'];
    const more = ['--role', 'NATIONAL_SYSTEM_ADMIN', '--office', OFFICE, '--password-stdin', '--json'];
    const command = `printf '%s\\n' '${PASSWORD}' | node ${resolve('dist/src/cli/main.js')} users create ${[...arguments_, ...more].join(' ')}`;
    const { stdout } = await promisify(execFile)('bash', ['-c', command], {
      cwd: directory,
      env: { PATH: process.env.PATH, NODE_ENV: 'test', ...env },
    });
    expect(JSON.parse(stdout)).toMatchObject({ username: ADMINISTRATOR, status: 'active' });
    const list = async (...filter: string[]) =>
      (JSON.parse(await succeed(['users', 'list', '--json', ...filter], env)) as UserView[]).map(
        ({ username, role, status }) => [username, role, status],
      );
    const registrars = [
      [REGISTRAR, 'LOCAL_REGISTRAR', 'active'],
      ['n.new', 'LOCAL_REGISTRAR', 'pending'],
    ];
    expect(await list()).toEqual([
      [ADMINISTRATOR, 'NATIONAL_SYSTEM_ADMIN', 'active'],
      [CLERK, 'HOSPITAL_CLERK', 'active'],
      ...registrars,
    ]);
    expect(await list('--role', 'LOCAL_REGISTRAR', '--status', 'pending')).toEqual(registrars.slice(1));
    expect(await succeed(['users', 'list', '--office', randomUUID()], env)).toBe('There are no users.\n');
  });

  it('deactivates and activates by name or id, as a running service heeds', async () => {
    const { token } = await signIn(CLERK);
    const status = async (): Promise<number> => (await service.request('GET', '/config', { token })).status;
    const statuses = [await status()];
    expect(await succeed(['users', 'deactivate', 'K.Bwalya'], env)).toBe(`User ${CLERK} is deactivated.\n`);
    for (const until = Date.now() + HANG_MS; statuses.at(-1) !== 401 && Date.now() < until;)
      statuses.push(await status());
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 401]);
    const { sub = '' } = decodeJwt(token);
    expect(await succeed(['users', 'activate', sub], env)).toBe(`User ${CLERK} is active.\n`);
    expect(await succeed(['users', 'reset-password', 'n.new'], env)).toBe(
      'User n.new is sent a link to set a password.\n',
    );
    const notices = await running.database.database.query<{ event: string; username: string }>(
      sql`select event, username from user_notice join user_account using (user_id) where event <> '2fa'`,
    );
    expect(notices).toContainEqual({ event: 'user-created', username: 'n.new' });
    expect(await matricula(['users', 'deactivate', 'nobody'], env)).toMatchObject({
      code: 1,
      stderr: 'There is no user nobody.\n',
    });
  });
});

describe('a client of upstream’s', () => {
  it('signs in: nonce, then access and refresh token, with upstream’s members and claims', async () => {
    const begun = await post('/auth/authenticate', { username: REGISTRAR, password: PASSWORD });
    expect([begun.status, begun.json]).toEqual([
      200,
      {
        nonce: expect.stringMatching(/^[A-Za-z0-9+/]{22}==$/) as string,
        ...{ email: 'k.mweene@example.org', status: 'active' },
      },
    ]);
    const { nonce } = begun.json as { nonce: string };
    const wrong = await post('/auth/verifyCode', { nonce, code: '111111' });
    expect([wrong.status, (wrong.json as { code: string }).code]).toEqual([401, 'UNAUTHORIZED']);
    const signedIn = await post('/auth/verifyCode', { nonce, code: '000000' });
    expect([signedIn.status, Object.keys(signedIn.json as object).sort()]).toEqual([200, ['refreshToken', 'token']]);
    const { token, refreshToken } = signedIn.json as Session;
    expect(decodeJwt(token)).toMatchObject({
      ...{ userType: 'user', role: 'LOCAL_REGISTRAR', iss: 'opencrvs:auth-service' },
      scope: expect.arrayContaining(['type=record.register&placeOfEvent=administrativeArea']) as string[],
      aud: expect.arrayContaining(['opencrvs:events-user']) as string[],
    });
    expect(decodeJwt(refreshToken)).toMatchObject({ aud: ['opencrvs:auth-refresh'], userType: 'user' });
    expect((await post('/auth/verifyToken', { token })).json).toEqual({ valid: true });
    expect((await post('/auth/verifyToken', { token: 'x' })).json).toEqual({ valid: false });
    expect((await post('/auth/verifyNumber', { nonce, code: '000000' })).status).toBe(404);
    expect((await post('/auth/verifyCode', { nonce, code: '000000' })).status).toBe(401);
  });

  it('takes a birth from the hospital to the register, as clerk and as registrar', async () => {
    const clerk = eventCaller(service, (await signIn(CLERK)).token);
    const registrar = eventCaller(service, (await signIn(REGISTRAR)).token);
    const registrarId = decodeJwt(registrar.token).sub;
    const tx = () => ({ transactionId: randomUUID() });
    const { event } = await clerk.post('', { ...tx(), type: 'birth' });
    expect(course(event)).toEqual(['CREATE Accepted', 'ASSIGN Accepted']);
    expect(event.actions[0]).toMatchObject({ createdByUserType: 'user', createdAtLocation: OFFICE });
    const declaration = { 'child.name': { firstname: 'Ana', surname: 'Musonda' }, 'child.dob': '2026-02-20' };
    expect((await clerk.post(`/${event.id}/notify`, { ...tx(), declaration })).status).toBe(200);

    const act = async (action: string, body: object = {}): Promise<AnsweredEvent> => {
      const answered = await registrar.post(`/${event.id}/actions/${action}`, { ...tx(), ...body });
      expect([action, answered.message, answered.status]).toEqual([action, undefined, 200]);
      return answered.event;
    };
    await act('assign', { assignedTo: registrarId });
    await act('edit', { keepAssignment: true });
    await act('declare', { keepAssignment: true, declaration });
    const registered = await act('register');
    expect(course(registered).filter((step) => step.startsWith('REGISTER'))).toEqual([
      'REGISTER Requested',
      'REGISTER Accepted',
    ]);
    const refused = await clerk.post(`/${event.id}/actions/print-certificate`, {
      ...tx(),
      content: { templateId: 'a' },
    });
    expect(refused.status).toBe(403);

    const query = { clauses: [{ trackingId: { type: 'exact', term: event.trackingId } }] };
    const { json } = await post('/events/search', { query }, registrar.token);
    expect(json).toMatchObject({
      total: 1,
      results: [{ id: event.id, status: 'REGISTERED', updatedBy: registrarId, updatedByUserRole: 'LOCAL_REGISTRAR' }],
    });
  });

  it('refreshes its session and ends it', async () => {
    const first = await signIn(REGISTRAR);
    const refreshed = await post('/auth/refreshToken', { token: first.refreshToken });
    expect([refreshed.status, Object.keys(refreshed.json as object).sort()]).toEqual([200, ['refreshToken', 'token']]);
    const second = refreshed.json as Session;
    expect((await post('/auth/refreshToken', { token: second.token })).status).toBe(401);
    const config = async ({ token }: Session): Promise<number> =>
      (await service.request('GET', '/config', { token })).status;
    expect([await config(first), await config(second)]).toEqual([200, 200]);
    const out = await post('/auth/invalidateToken', { token: second.refreshToken });
    expect([out.status, out.json]).toEqual([200, {}]);
    expect((await post('/auth/refreshToken', { token: second.refreshToken })).status).toBe(401);
    expect([await config(first), await config(second)]).toEqual([401, 401]);
    expect((await post('/auth/invalidateToken', { token: 'x' })).json).toEqual({});
  });
});

describe('tokens of the command line', () => {
  it('pass the same guard as users’ tokens, with the same rights from the same scopes', async () => {
    const user = await signIn(REGISTRAR);
    const scopes = decodeJwt<{ scope: string[] }>(user.token).scope.flatMap((scope) => ['--scope', scope]);
    const made = await succeed(['token', '--subject', 'cron', '--office', OFFICE, ...scopes], env);
    const administrator = await signIn(ADMINISTRATOR);
    const made2 = await succeed(['token', '--role', 'national-system-admin'], env);
    const query = { clauses: [{ eventType: 'birth' }] };
    const asks = [
      ['POST', '/events/search', { query }],
      ['POST', '/events', { transactionId: randomUUID(), type: 'birth' }],
      ['GET', '/webhooks'],
      ['GET', '/users'],
      ['GET', '/integrations'],
      ['GET', `/events/${randomUUID()}`],
    ] as const;
    const answers = async (token: string) =>
      Promise.all(
        asks.map(async ([method, path, body]) => {
          const { status } = await service.request(method, path, {
            token,
            listener: 'internal',
            ...(body && { body }),
          });
          return [path.slice(0, 8), status];
        }),
      );
    const [ofUser, ofLine, ofAdministrator, ofLine2] = await Promise.all(
      [user.token, made.trim(), administrator.token, made2.trim()].map(answers),
    );
    expect(ofLine).toEqual(ofUser);
    expect(ofLine2).toEqual(ofAdministrator);
    expect([ofUser?.map(([, status]) => status), ofAdministrator?.map(([, status]) => status)]).toEqual([
      [200, 200, 403, 200, 403, 404],
      [200, 403, 403, 200, 200, 404],
    ]);
  });
});
