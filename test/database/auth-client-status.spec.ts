import { randomUUID } from 'node:crypto';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import type { Credentials } from '../../src/auth/clients/system-clients.js';
import { sql } from '../../src/kernel/sql/sql.js';
import type { TestDatabase } from '../support/postgres.js';
import {
  type AuthProcess,
  authProcess,
  type TwoAuthProcesses,
  twoAuthProcesses,
  within2Seconds,
} from '../support/auth-process.js';

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
