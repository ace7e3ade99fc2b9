import { randomUUID } from 'node:crypto';

import { type Credentials, SystemClients } from '../../src/auth/clients/system-clients.js';
import { ClientSecretHash } from '../../src/auth/secrets/client-secret-hash.js';
import { SecretsBox } from '../../src/auth/secrets/secrets-box.js';
import { SessionFamilies, type SessionTokens } from '../../src/auth/sessions/session-families.js';
import { AccessTokens } from '../../src/auth/tokens/access-tokens.js';
import { UserDirectory } from '../../src/auth/users/user-directory.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { ChangeFeed } from '../../src/platform/database/connection/change-feed.js';
import { addUser } from '../support/a-user.js';
import {
  type AuthProcess,
  authProcess,
  type TwoAuthProcesses,
  twoAuthProcesses,
  within2Seconds,
} from '../support/auth-process.js';
import { form, JSON_TYPE, serve, type Service } from '../support/auth-service.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { TokenIssuer } from '../support/token-issuer.js';

describe('the hash of client secrets', () => {
  const box = new SecretsBox(Buffer.alloc(32, 1));

  let test: TestDatabase;
  beforeEach(async () => {
    test = await createTestDatabase();
  });
  afterEach(() => test.drop());

  const hasher = (): ClientSecretHash => new ClientSecretHash(test.database, box, test.database.primary);
  const hash = (): Promise<Buffer> => hasher().of('a secret');

  describe('the hash of client secrets', () => {
    it('has a key of its own that all processes share, also those that begin at once', async () => {
      const hashes = await Promise.all(Array.from({ length: 5 }, () => hash()));
      expect(new Set(hashes.map((one) => one.toString('hex'))).size).toBe(1);
      expect(hashes[0]).toHaveLength(32);
      expect(await hasher().of('a secreT')).not.toEqual(hashes[0]);
    });

    it('has the key of the server that took over', async () => {
      const one = hasher();
      test.database.primary.meet('one');
      const before = await one.of('a secret');
      // As on a server that took over without the latest commits.
      await test.database.query(sql`truncate kept_key`);
      test.database.primary.meet('another');
      const after = await one.of('a secret');
      expect(after).not.toEqual(before);
      expect(after).toEqual(await hash());
    });

    it('is read again after a failure', async () => {
      const one = hasher();
      jest.spyOn(test.database, 'query').mockRejectedValueOnce(new Error('the database is away'));
      await expect(one.of('a secret')).rejects.toThrow('away');
      expect(await one.of('a secret')).toHaveLength(32);
    });
  });
});

describe('the status of clients', () => {
  let two: TwoAuthProcesses;
  let database: TestDatabase;
  let one: AuthProcess;
  let other: AuthProcess;

  beforeAll(async () => {
    two = await twoAuthProcesses();
    ({ database, one, other } = two);
  });
  afterAll(() => two.close());
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const register = (): Promise<Credentials> => two.register();

  describe('ClientStatus', () => {
    it('is heeded at once in the process that changes it, and within 2 s in the others, as often as it changes', async () => {
      const { clientId } = await register();
      expect(one.status.isDeactivated(clientId)).toBe(false);
      await within2Seconds(database, () => !other.status.isDeactivated(clientId));
      for (const status of ['deactivated', 'deactivated', 'active', 'active', 'deactivated'] as const) {
        expect(await one.clients.setStatus(clientId, status, CLI)).toBe(true);
        expect(one.status.isDeactivated(clientId)).toBe(status === 'deactivated');
        await within2Seconds(database, () => other.status.isDeactivated(clientId) === (status === 'deactivated'));
      }
    });

    it('refuses a client that was never registered', () => {
      expect(one.status.isDeactivated(randomUUID())).toBe(true);
      expect(one.status.isDeactivated('cli')).toBe(true);
    });

    it('reaches a process whose connection was lost meanwhile', async () => {
      const { clientId } = await register();
      await within2Seconds(database, () => !other.status.isDeactivated(clientId));
      await database.database.query(
        sql`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'matricula change feed' and datname = current_database()`,
      );
      await one.clients.setStatus(clientId, 'deactivated', CLI);
      expect(one.status.isDeactivated(clientId)).toBe(true);
      await within2Seconds(database, () => other.status.isDeactivated(clientId));
    });

    it('is asked of the database by a process that does not hear of changes, or is said to be unknown (G-3)', async () => {
      const { clientId } = await register();
      const deaf = authProcess(database);
      await deaf.status.onModuleInit();
      await deaf.status.current();
      expect(deaf.status.isDeactivated(clientId)).toBe(false);
      await one.clients.setStatus(clientId, 'deactivated', CLI);
      await deaf.status.current();
      expect(deaf.status.isDeactivated(clientId)).toBe(true);

      jest.spyOn(deaf.database, 'query').mockRejectedValue(new Error('Connection terminated unexpectedly'));
      await expect(deaf.status.current()).rejects.toThrow('Connection terminated');
    });

    it('ends where the last of many changes ends', async () => {
      const { clientId } = await register();
      const changes = Array.from({ length: 20 }, (_, at) =>
        one.clients.setStatus(clientId, at % 2 ? 'active' : 'deactivated', CLI),
      );
      await Promise.all(changes);
      const view = await one.clients.find(clientId);
      expect(one.status.isDeactivated(clientId)).toBe(view?.status === 'deactivated');
      await within2Seconds(database, () => other.status.isDeactivated(clientId) === (view?.status === 'deactivated'));
    });
  });

  describe('a replaced client secret', () => {
    it('ends with its time, which passes although nobody tells of it', async () => {
      const { clientId, clientSecret } = await register();
      const isGood = async (): Promise<boolean> =>
        (await one.authentication.authenticate({ clientId, clientSecret: clientSecret.reveal() }, '192.0.2.1')) !==
        undefined;
      const { database: queries } = database;
      await queries.query(sql`
      update system_client set replaced_secret_hash = secret_hash, secret_hash = sha256('another'),
             replaced_secret_until = now() + interval '10 minutes' where client_id = ${clientId}`);
      await one.status.refresh();
      jest.spyOn(one.status, 'followed').mockReturnValue(one.status.followed(clientId));
      await queries.query(sql`update system_client set replaced_secret_until = now() where client_id = ${clientId}`);
      const age = jest.spyOn(one.status, 'ageMs', 'get').mockReturnValue(300_000);
      expect(await isGood()).toBe(true);
      age.mockReturnValue(600_000);
      expect(await isGood()).toBe(false);
    });
  });
});

describe('tokens that are asked for', () => {
  const issuer = new TokenIssuer();
  let database: TestDatabase;
  let service: Service;
  let client: Credentials;
  let gateway: Credentials;
  beforeAll(async () => {
    database = await createTestDatabase();
    service = await serve(database, { JWT_PRIVATE_KEY: issuer.pem });
    const clients = service.app.get(SystemClients, { strict: false });
    client = await clients.register({ registeredAs: 'RECORD_SEARCH', by: CLI });
    gateway = await clients.register({ scopes: ['token.introspect'], by: CLI });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const families = (): SessionFamilies => service.app.get(SessionFamilies, { strict: false });
  const query = (statement: ReturnType<typeof sql>): Promise<unknown[]> => database.database.query(statement);

  async function asked(route: string, token: string, by: Credentials): Promise<unknown> {
    const credentials = { client_id: by.clientId, client_secret: by.clientSecret.reveal() };
    const answer = await fetch(`${service.url}/auth/${route}`, { method: 'POST', ...form({ ...credentials, token }) });
    return answer.json();
  }
  const introspect = (token: string, by = gateway): Promise<unknown> => asked('introspect', token, by);
  const post = (route: string, token: string): Promise<Response> =>
    fetch(`${service.url}/auth/${route}`, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ token }) });

  /** A token of the client, with other claims. */
  const made = (claims: object = {}): Promise<string> =>
    issuer.token({ sub: client.clientId, userType: 'system', scope: ['recordsearch'], jti: randomUUID(), ...claims });
  async function session(): Promise<SessionTokens & { readonly userId: string }> {
    const user = await addUser(database);
    await service.app.get(UserDirectory, { strict: false }).refresh();
    return { ...user, ...(await families().begin(user)) };
  }

  const INACTIVE = { active: false };

  describe('an access token', () => {
    it('of a person whom the command line calls as a client is called is none of that client', async () => {
      const order = { role: 'system-admin', subject: client.clientId, ttlSeconds: 60, by: CLI } as const;
      const token = await service.app.get(AccessTokens, { strict: false }).administratorToken(order, new Date());
      expect(await introspect(token, client)).toEqual(INACTIVE);
      expect(await asked('revoke', token, client)).toMatchObject({
        error: 'invalid_request',
        error_description: 'the token was issued to another',
      });
      expect(await introspect(token)).toMatchObject({ active: true, sub: client.clientId, userType: 'user' });
    });

    it('is not good from the second on in which it ends, nor of another issuer, nor for another audience', async () => {
      const seconds = (): number => Math.floor(Date.now() / 1_000);
      expect(await introspect(await made())).toMatchObject({ active: true, client_id: client.clientId });
      for (const claims of [{ exp: seconds() }, { iss: 'another' }, { aud: ['another'] }]) {
        const token = await made(claims);
        expect([claims, await introspect(token)]).toEqual([claims, INACTIVE]);
        expect(await (await post('verifyToken', token)).json()).toEqual({ valid: false });
      }
    });

    it('is asked of the database while changes are not heard', async () => {
      const token = await made();
      const feed = service.app.get(ChangeFeed, { strict: false });
      const become = (status: string) =>
        query(sql`update system_client set status = ${status} where client_id = ${client.clientId}`);
      await feed.stop();
      await become('deactivated');
      expect(await introspect(token)).toEqual(INACTIVE);
      await become('active');
      expect(await introspect(token)).toMatchObject({ active: true });
      await feed.start();
    });

    it('is revoked once, with one row of the audit log, however often it is asked for', async () => {
      const jti = randomUUID();
      const token = await made({ jti });
      for (let time = 0; time < 2; time += 1) expect(await asked('revoke', token, client)).toEqual({});
      expect(await query(sql`select operation from audit_log where request_data ->> 'jti' = ${jti}`)).toEqual([
        { operation: 'auth.revoke' },
      ]);
    });
  });

  describe('a refresh token', () => {
    it('is active as long as it can be exchanged: current, or in its grace, of a user who is not deactivated', async () => {
      const { refreshToken: before, userId } = await session();
      const current = (await families().refresh(before))?.refreshToken ?? '';
      const areActive = async (): Promise<unknown> =>
        (await Promise.all([before, current].map((token) => introspect(token)))).map(
          (answer) => (answer as { readonly active: boolean }).active,
        );
      expect(await areActive()).toEqual([true, true]);
      await query(sql`update session_family set rotated_at = rotated_at - interval '61 s' where user_id = ${userId}`);
      expect(await areActive()).toEqual([false, true]);
      await query(sql`update user_account set status = 'deactivated' where user_id = ${userId}`);
      expect(await areActive()).toEqual([false, false]);
    });

    it('of a session that is lost costs the database sixty logouts a minute, which are not counted as refreshes', async () => {
      const { refreshToken, userId } = await session();
      await query(sql`delete from session_family where user_id = ${userId}`);
      const statuses: number[] = [];
      for (let at = 1; at <= 62; at += 1) statuses.push((await post('invalidateToken', refreshToken)).status);
      expect(statuses).toEqual([...Array<number>(60).fill(200), 429, 429]);
      expect((await post('refreshToken', refreshToken)).status).toBe(401);
    });
  });
});
