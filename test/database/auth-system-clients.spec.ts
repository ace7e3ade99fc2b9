import crypto, { randomUUID } from 'node:crypto';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { type CredentialPair, FailedCredentialLimit } from '../../src/auth/secrets/failed-credential-limit.js';
import type { Credentials } from '../../src/auth/clients/system-clients.js';
import { CountedFailedCredentials } from '../../src/gateway/rate-limit/rate-limits.js';
import { RedisConnection } from '../../src/gateway/rate-limit/redis-connection.js';
import { TokenParameters } from '../../src/auth/tokens/token-parameters.js';
import { Secret } from '../../src/platform/config/secret.js';
import { ServiceError } from '../../src/kernel/errors/service-error.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { assertionOf, assertionParameters, signingPair } from '../support/client-assertion.js';
import type { TestDatabase } from '../support/postgres.js';
import {
  type AuthProcess,
  authProcess,
  type TwoAuthProcesses,
  twoAuthProcesses,
  within2Seconds,
} from '../support/auth-process.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Remembers whose credentials were wrong, and refuses a pair after two failures. */
class TwoFailures extends FailedCredentialLimit {
  readonly failures: CredentialPair[] = [];

  override async checked<T>(pair: CredentialPair, check: () => Promise<T | undefined>): Promise<T | undefined> {
    const key = JSON.stringify(pair);
    const count = this.failures.filter((failure) => JSON.stringify(failure) === key).length;
    if (count >= 2) throw new ServiceError('TOO_MANY_REQUESTS', 'too many');
    const found = await check();
    if (found === undefined) this.failures.push(pair);
    return found;
  }
}

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

describe('SystemClients', () => {
  it('registers a client with all that belongs to it, or not at all', async () => {
    const also = jest.fn().mockRejectedValue(new Error('no such format'));
    await expect(one.clients.register({ registeredAs: 'HEALTH', name: 'half', by: CLI, also })).rejects.toThrow(
      'no such format',
    );
    expect(await database.database.query(sql`select from system_client where name = 'half'`)).toEqual([]);
  });

  it('registers a client under three random UUIDs, and keeps neither secret readable', async () => {
    const { clientId, clientSecret, shaSecret } = await register();
    const secrets = [clientSecret.reveal(), shaSecret.reveal()];
    for (const uuid of [clientId, ...secrets]) expect(uuid).toMatch(UUID);
    expect(new Set([clientId, ...secrets]).size).toBe(3);

    const [row] = await database.database.query(sql`select * from system_client where client_id = ${clientId}`);
    expect(row).toEqual({
      client_id: clientId,
      name: 'A hospital',
      registered_as: 'HEALTH',
      scopes: ['health'],
      secret_hash: await one.secretHash.of(clientSecret.reveal()),
      sha_secret_sealed: expect.stringMatching(/^v1\./) as string,
      status: 'active',
      webhook_format: 'standard',
      sha_secret_generation: 0,
      jwks: null,
      replaced_secret_hash: null,
      replaced_secret_until: null,
      created_at: expect.any(Date) as Date,
      created_by: 'cli',
    });
    for (const secret of secrets) expect(JSON.stringify(row)).not.toContain(secret);
    expect((await other.clients.shaSecretOf(clientId))?.secret.reveal()).toBe(shaSecret.reveal());
  });

  it('registers a client with scopes of its own', async () => {
    const scopes = ['type=record.search&event=birth,death', 'webhook'];
    const { clientId, clientSecret } = await one.clients.register({ scopes, by: CLI });
    expect(await one.clients.find(clientId)).toMatchObject({ name: 'integration', registeredAs: null, scopes });
    const given = { clientId, clientSecret: clientSecret.reveal() };
    expect(await one.authentication.authenticate(given, '::1')).toEqual({ clientId, scopes });
  });

  it('refuses scopes that grant nothing or are an administrator’s, naming each', async () => {
    const scopes = ['type=record.search', 'type=record.serch', 'type=record.search&evnt=birth', 'natlsysadmin'];
    await expect(one.clients.register({ scopes, by: CLI })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      issues: [
        { message: expect.stringMatching(/^scopes\[1\]: .*: "record.serch" is no type of scope$/) as string },
        { message: expect.stringMatching(/^scopes\[2\]: .*: "evnt" is no option; options are event, /) as string },
        { message: 'scopes[3]: "natlsysadmin" is an administrator\'s, and no client\'s' },
      ],
    });
    await expect(one.clients.register({ scopes: [], name: ' ', by: CLI })).rejects.toMatchObject({
      issues: [
        { message: 'name: Integration name is required' },
        { message: 'scopes: At least one scope is required' },
      ],
    });
    await expect(one.clients.register({ registeredAs: 'HEALTH', name: 'a\u0000b', by: CLI })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('lists clients without their secrets, the oldest first', async () => {
    const [first, second] = [await register(), await register()];
    const listed = await one.clients.list();
    expect(listed.slice(-2)).toEqual(
      [first, second].map(({ clientId }) => ({
        clientId,
        name: 'A hospital',
        registeredAs: 'HEALTH',
        scopes: ['health'],
        status: 'active',
        createdAt: expect.any(Date) as Date,
        createdBy: 'cli',
        jwks: null,
      })),
    );
  });

  it('replaces a sha_secret, each time by another, however many ask at once', async () => {
    const { clientId, shaSecret } = await register();
    const made = await Promise.all(Array.from({ length: 5 }, () => one.clients.rotateShaSecret(clientId, CLI)));
    const current = await other.clients.shaSecretOf(clientId);
    expect(current?.generation).toBe(5);
    const all = [shaSecret, ...made].map((secret) => secret?.reveal());
    expect(new Set(all).size).toBe(6);
    expect(all.slice(1)).toContain(current?.secret.reveal());
    const kept = await database.database.query<{ sealed: string; generation: number }>(
      sql`select sealed, generation from replaced_sha_secret where client_id = ${clientId} order by generation`,
    );
    expect(kept.map(({ generation }) => generation)).toEqual([0, 1, 2, 3, 4]);
    const opened = kept.map(({ sealed }) => other.clients.openShaSecret(clientId, sealed).reveal());
    expect(new Set([...opened, current?.secret.reveal()])).toEqual(new Set(all));
    for (const secret of all) expect(JSON.stringify(kept)).not.toContain(secret);
  });

  it('does not know a client that was never registered', async () => {
    const nobody = '3b6a2c1e-7f41-4a57-9d0c-2f8f1f6f0a11' as Credentials['clientId'];
    expect(await one.clients.find(nobody)).toBeUndefined();
    expect(await one.clients.shaSecretOf(nobody)).toBeUndefined();
    expect(await one.clients.setStatus(nobody, 'deactivated', CLI)).toBe(false);
    expect(await one.clients.rotateShaSecret(nobody, CLI)).toBeUndefined();
  });
});

describe('ClientAuthentication', () => {
  it('knows a client by its secret, in every process, whatever the letter case of its id', async () => {
    const { clientId, clientSecret } = await register();
    const given = { clientId: clientId.toUpperCase(), clientSecret: clientSecret.reveal() };
    expect(await other.authentication.authenticate(given, '::1')).toEqual({ clientId, scopes: ['health'] });
  });

  it('knows a client again once it is reactivated, by the same secret', async () => {
    const { clientId, clientSecret } = await register();
    const given = { clientId, clientSecret: clientSecret.reveal() };
    await one.clients.setStatus(clientId, 'deactivated', CLI);
    expect(await one.authentication.authenticate(given, '::1')).toBeUndefined();
    await within2Seconds(database, () => other.status.isDeactivated(clientId));
    expect(await other.authentication.authenticate(given, '::1')).toBeUndefined();
    await one.clients.setStatus(clientId, 'active', CLI);
    expect(await one.authentication.authenticate(given, '::1')).toEqual({ clientId, scopes: ['health'] });
    expect(await other.authentication.authenticate(given, '::1')).toEqual({ clientId, scopes: ['health'] });
  });

  it('knows no client by an id that is none, whichever ids and secrets clients have', async () => {
    const clientId = '00000000-0000-0000-0000-000000000000' as Credentials['clientId'];
    const clientSecret = new Secret('a secret made elsewhere');
    await one.clients.register({ registeredAs: 'HEALTH', by: CLI, credentials: { clientId, clientSecret } });
    const authenticated = (id: string): Promise<unknown> =>
      one.authentication.authenticate({ clientId: id, clientSecret: clientSecret.reveal() }, '::1');
    expect([await authenticated(clientId), await authenticated('anything'), await authenticated('')]).toEqual([
      { clientId, scopes: ['health'] },
      undefined,
      undefined,
    ]);
    await database.database.query(sql`delete from system_client where client_id = ${clientId}`);
  });

  it('looks nobody up whom it follows, and everybody while it cannot follow', async () => {
    const { clientId, clientSecret } = await register();
    const given = { clientId, clientSecret: clientSecret.reveal() };
    const process = authProcess(database);
    await process.secretHash.onModuleInit();
    const queries = jest.spyOn(process.database, 'query');
    const lookUps = async (): Promise<number> => {
      queries.mockClear();
      expect(await process.authentication.authenticate(given, '::1')).toEqual({ clientId, scopes: ['health'] });
      return queries.mock.calls.length;
    };
    const before = await lookUps();
    await process.start();
    const following = await lookUps();
    await process.stop();
    expect([before, following, await lookUps()]).toEqual([1, 0, 1]);
  });

  it('does the same work for every wrong pair', async () => {
    const active = await register();
    const inactive = await register();
    await one.clients.setStatus(inactive.clientId, 'deactivated', CLI);
    const process = authProcess(database);
    await process.start();
    const queries = jest.spyOn(process.database, 'query');
    const hashes = jest.spyOn(process.secretHash, 'of');
    const comparisons = jest.spyOn(crypto, 'timingSafeEqual');

    const secret = active.clientSecret.reveal();
    const attempts = [
      { clientId: active.clientId, clientSecret: secret.toUpperCase() },
      { clientId: active.clientId, clientSecret: `${secret} ` },
      { clientId: active.clientId, clientSecret: inactive.clientSecret.reveal() },
      { clientId: inactive.clientId, clientSecret: inactive.clientSecret.reveal() },
      { clientId: randomUUID(), clientSecret: secret },
      { clientId: '00000000-0000-0000-0000-000000000000', clientSecret: secret },
      { clientId: "' or true --", clientSecret: secret },
      { clientId: '\u0000\ud800', clientSecret: '\u0000\ud800' },
    ];
    for (const given of attempts) {
      for (const spy of [queries, hashes, comparisons]) spy.mockClear();
      expect(await process.authentication.authenticate(given, '::1')).toBeUndefined();
      const counts = [queries, hashes, comparisons].map((spy) => spy.mock.calls.length);
      expect({ given, counts }).toEqual({ given, counts: [1, 1, 4] });
    }
    await process.stop();
  });

  it('makes a pair of client and address wait after its failures, even with the right secret, and no other pair', async () => {
    const limit = new TwoFailures();
    const { authentication } = authProcess(database, {}, limit);
    const { clientId, clientSecret } = await register();
    const right = { clientId, clientSecret: clientSecret.reveal() };

    await authentication.authenticate(right, '192.0.2.1');
    expect(limit.failures).toEqual([]);
    await authentication.authenticate({ clientId, clientSecret: 'wrong' }, '192.0.2.1');
    await authentication.authenticate({ clientId: clientId.toUpperCase(), clientSecret: 'wrong' }, '192.0.2.1');
    const [pair] = limit.failures;
    expect(limit.failures).toEqual([pair, pair]);
    expect(pair?.clientIdHash).toMatch(/^[\w-]{43}$/);

    await expect(authentication.authenticate(right, '192.0.2.1')).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
    });
    expect(await authentication.authenticate(right, '192.0.2.2')).toBeDefined();
    expect(await authentication.authenticate({ clientId: 'another', clientSecret: 'x' }, '192.0.2.1')).toBeUndefined();
  });

  it('counts what is wrong of a client that it knows, though the client cannot be looked up, and of no other', async () => {
    const PUBLIC_URL = 'https://register.example.org';
    const pair = await signingPair();
    const { clientId, clientSecret } = await one.clients.register({
      ...{ registeredAs: 'HEALTH', by: CLI, jwks: { keys: [pair.jwk] } },
    });
    const limit = new CountedFailedCredentials(new RedisConnection({ REDIS_URL: undefined }));
    const process = authProcess(database, { PUBLIC_URL }, limit);
    await process.start();
    jest.spyOn(process.database, 'query').mockRejectedValue(new Error('it has no time'));
    const stranger = await signingPair();
    const assertion = await assertionOf(clientId, PUBLIC_URL, stranger);
    const parameters = new TokenParameters({
      query: new URLSearchParams(),
      body: new URLSearchParams(assertionParameters(assertion)),
      authorizations: [],
    });
    const outcomes = async (attempt: () => Promise<unknown>): Promise<string[]> => {
      const all: string[] = [];
      for (let count = 0; count < 11; count += 1) all.push(await attempt().then(() => 'answered', String));
      return [...new Set(all.slice(0, 10)), ...all.slice(10)];
    };
    const secrets = (id: string, clientSecret: string, address: string) => () =>
      process.authentication.authenticate({ clientId: id, clientSecret }, address);
    const failed = 'Error: it has no time';
    const blocked = 'ServiceError: Too many attempts with wrong credentials. Try again later.';
    const answers = [
      await outcomes(secrets(clientId, clientSecret.reveal(), '192.0.2.1')),
      await outcomes(secrets(clientId, 'wrong', '192.0.2.1')),
      await outcomes(() => process.authentication.ofRequest(parameters, '192.0.2.2')),
      await outcomes(secrets(randomUUID(), 'wrong', '192.0.2.1')),
    ];
    await process.stop();
    expect(answers).toEqual([
      ['answered', 'answered'],
      [failed, blocked],
      [failed, blocked],
      [failed, failed],
    ]);
  });
});
