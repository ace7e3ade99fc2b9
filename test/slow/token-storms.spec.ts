import { setTimeout as sleep } from 'node:timers/promises';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { type Credentials, SystemClients } from '../../src/auth/clients/system-clients.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { form, GRANT, serve, type Service } from '../support/auth-service.js';
import { assertionOf, assertionParameters, type SigningPair, signingPair } from '../support/client-assertion.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const PUBLIC_URL = 'https://register.example.org';

let database: TestDatabase;
let service: Service;
let pair: SigningPair;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await serve(database, { PUBLIC_URL });
  pair = await signingPair();
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const register = (): Promise<Credentials> =>
  service.app
    .get(SystemClients, { strict: false })
    .register({ registeredAs: 'HEALTH', by: CLI, jwks: { keys: [pair.jwk] } });
const token = async (parameters: Record<string, string>): Promise<number> =>
  (await fetch(`${service.url}/auth/token`, { method: 'POST', ...form(parameters) })).status;
const byAssertion = async ({ clientId }: Credentials): Promise<number> =>
  token(assertionParameters(await assertionOf(clientId, PUBLIC_URL, pair)));
const bySecret = (clientId: string, secret: string): Promise<number> =>
  token({ ...Object.fromEntries(new URLSearchParams(GRANT)), client_id: clientId, client_secret: secret });
const isReady = async (): Promise<unknown> => (await fetch(`${service.url}/health/ready`)).status;

/** How many statements that check credentials wait for a lock. */
const waiting = async (): Promise<number> => {
  const [row] = await database.database.query<{ readonly waiting: number }>(sql`
    select count(*)::int as waiting from pg_stat_activity
     where application_name = 'matricula credentials' and datname = current_database() and wait_event_type = 'Lock'`);
  return row?.waiting ?? 0;
};

/** A statement gives up after five seconds: what is done meanwhile has to be done by then. */
const soon = <T>(answer: Promise<T>): Promise<T | 'not soon'> =>
  Promise.race([answer, sleep(4_000, 'not soon' as const, { ref: false })]);

describe('a storm of token requests that the database does not answer', () => {
  it('by assertions leaves health, secrets and unknown clients alone', async () => {
    const clients = await Promise.all(Array.from({ length: 4 }, register));
    const storm = await database.database.transaction(async (transaction) => {
      await transaction.query(sql`lock table spent_assertion in share row exclusive mode`);
      const begun = clients.map(byAssertion);
      await eventually('two are being spent', async () => (await waiting()) >= 2);
      const [one] = clients;
      expect(await soon(isReady())).toBe(200);
      expect(await soon(bySecret(one?.clientId ?? '', 'wrong'))).toBe(401);
      expect(await soon(bySecret(one?.clientId ?? '', one?.clientSecret.reveal() ?? ''))).toBe(200);
      expect(await waiting()).toBe(2);
      return begun;
    });
    expect(await Promise.all(storm)).toEqual([200, 200, 200, 200]);
  });

  it('of unknown clients leaves health and assertions alone', async () => {
    const known = await register();
    const unknown = (at: number): string => `c5f0b4a0-2f0e-4a52-9d5e-0a3a5f1c7b${10 + at}`;
    const storm = await database.database.transaction(async (transaction) => {
      await transaction.query(sql`lock table system_client in access exclusive mode`);
      const begun = [0, 1, 2, 3].map((at) => bySecret(unknown(at), 'wrong'));
      await eventually('one is looked up', async () => (await waiting()) >= 1);
      expect(await soon(isReady())).toBe(200);
      expect(await soon(bySecret(known.clientId, known.clientSecret.reveal()))).toBe(200);
      expect(await waiting()).toBe(1);
      return begun;
    });
    expect(await Promise.all(storm)).toEqual([401, 401, 401, 401]);
  });
});
