import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { WellKnownController } from '../../src/auth/oauth/well-known.controller.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { type AuthProcess, authProcess, within2Seconds } from '../support/auth-process.js';

interface KeySet {
  readonly keys: readonly { readonly kid: string }[];
}

const CLIENT = { clientId: aUuid(1), scopes: ['recordsearch'] };

describe('signing keys', () => {
  let database: TestDatabase;
  const started: AuthProcess[] = [];

  async function start(environment: Readonly<Record<string, string>> = {}): Promise<AuthProcess> {
    const process = authProcess(database, environment);
    started.push(process);
    await process.start();
    return process;
  }

  const kids = (process: AuthProcess): readonly string[] => process.keys.publicKeys().map(({ kid }) => kid);

  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((process) => process.stop()));
    await database.drop();
  });

  it('are published as the database has them while changes are not heard, or as they were known', async () => {
    const deaf = authProcess(database);
    await deaf.keys.onModuleInit();
    const published = async (): Promise<readonly string[]> => {
      const { keys } = JSON.parse(await new WellKnownController(deaf.keys, deaf.config).jwks()) as KeySet;
      return keys.map(({ kid }) => kid);
    };
    const made = await (await start()).keys.rotate(CLI);
    expect(await published()).toContain(made);
    const query = jest.spyOn(deaf.database, 'query').mockRejectedValue(new Error('away'));
    expect(await published()).toContain(made);
    query.mockReturnValue(new Promise(() => undefined));
    expect(await published()).toContain(made);
  });

  it('are made once by ten processes that start at once', async () => {
    const processes = await Promise.all(Array.from({ length: 10 }, () => start()));
    const [first = [], ...others] = processes.map(kids);
    expect(first).toHaveLength(1);
    for (const kid of others) expect(kid).toEqual(first);
    expect(await database.database.query(sql`select kid from signing_key`)).toEqual([{ kid: first[0] }]);
  });

  it('sign tokens that every process verifies, with the claims of A-5', async () => {
    const [one, other] = [await start(), await start()];
    const now = new Date();
    const token = await one.tokens.clientToken(CLIENT, now);
    const { kid = '' } = decodeProtectedHeader(token);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'RS256', typ: 'JWT', kid });
    const key = other.keys.verification(kid);
    if (key === undefined) throw new Error('the other process knows the key');
    const issuedAt = Math.floor(now.getTime() / 1_000);
    const { payload } = await jwtVerify(token, key);
    expect(payload).toEqual({
      sub: CLIENT.clientId,
      userType: 'system',
      scope: ['recordsearch'],
      iat: issuedAt,
      exp: issuedAt + 600,
      iss: 'opencrvs:auth-service',
      aud: [
        'opencrvs:auth-user',
        'opencrvs:gateway-user',
        'opencrvs:events-user',
        'opencrvs:search-user',
        'opencrvs:webhooks-user',
        'opencrvs:countryconfig-user',
      ],
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
    expect(decodeJwt(await one.tokens.clientToken(CLIENT, now)).jti).not.toBe(payload.jti);
  });

  it('begin with JWT_PRIVATE_KEY where it is given, and keep it sealed', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const process = await start({ JWT_PRIVATE_KEY: pem });
    expect(kids(process)).toEqual([await calculateJwkThumbprint(createPrivateKey(pem))]);
    const [row] = await database.database.query<Record<string, unknown>>(sql`select * from signing_key`);
    expect(JSON.stringify(row)).not.toContain('PRIVATE KEY');
    expect(kids(await start())).toEqual(kids(process));
  });

  it('stop a process that starts under another SECRETS_KEY, saying so', async () => {
    await start();
    const stranger = start({ SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') });
    await expect(stranger).rejects.toThrow(/^SECRETS_KEY is not the one under which the database keeps its secrets: /);
  });

  it('verify a token without kid with the key that signs', async () => {
    const process = await start();
    expect(process.keys.verification(undefined)).toBe(process.keys.verification(process.keys.signing().kid));
    expect(process.keys.verification('another')).toBeUndefined();
  });

  it('rotate in every process without a restart, and without refusing a token', async () => {
    const [one, other] = [await start(), await start()];
    const [before = ''] = kids(one);
    const after = await one.keys.rotate(CLI);

    // Both are published and accepted from the start; the new one signs once every process had time to learn of it.
    expect(one.keys.publicKeys().map(({ kid }) => kid)).toEqual([before, after]);
    expect(one.keys.signing().kid).toBe(before);
    await within2Seconds(database, () => other.keys.verification(after) !== undefined);
    await within2Seconds(database, () => one.keys.signing().kid === after && other.keys.signing().kid === after);
    expect(kids(other)).toEqual([after, before]);

    const lastTokenExpires = Date.now() + 600_000;
    expect(other.keys.verification(before, lastTokenExpires)).toBeDefined();
    expect(other.keys.verification(before, lastTokenExpires + 120_000)).toBeUndefined();
    expect(other.keys.publicKeys(lastTokenExpires + 120_000).map(({ kid }) => kid)).toEqual([after]);
    // A process that starts now signs with the new one at once.
    expect((await start()).keys.signing().kid).toBe(after);
  });

  it('sign with the new one also where the clock was ahead when it was heard of, and is put right', async () => {
    const process = await start();
    const now = Date.now;
    const ahead = jest.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
    const after = await process.keys.rotate(CLI);
    ahead.mockRestore();
    await within2Seconds(database, () => process.keys.signing().kid === after);
  });

  it('verify refresh tokens for as long as these live, and access tokens no longer than these', async () => {
    const process = await start();
    const first = process.keys.signing().kid;
    await process.keys.rotate(CLI);
    const verifies = (afterSeconds: number) => {
      const then = Date.now() + afterSeconds * 1_000;
      const [access, refresh] = [process.keys.verification(first, then), process.keys.refreshVerification(first, then)];
      return [access !== undefined, refresh !== undefined];
    };
    expect([600, 720, 604_800, 605_520].map(verifies)).toEqual([
      [true, true],
      [false, true],
      [false, true],
      [false, false],
    ]);
    expect(process.keys.refreshVerification(undefined)).toBeUndefined();
  });

  it('forget with the next rotation what no token needs any more', async () => {
    const process = await start();
    const [first = ''] = kids(process);
    const second = await process.keys.rotate(CLI);
    await database.database.query(
      sql`update signing_key set accepted_until = now() - interval '8 days' where kid = ${first}`,
    );
    const third = await process.keys.rotate(CLI);
    const rows = await database.database.query<{ kid: string }>(sql`select kid from signing_key`);
    expect(rows.map(({ kid }) => kid).sort()).toEqual([second, third].sort());
  });

  it('rotate one after the other when two are asked for at once', async () => {
    const [one, other] = [await start(), await start()];
    const made = await Promise.all([one.keys.rotate(CLI), other.keys.rotate(CLI)]);
    const newest = await database.database.query<{ kid: string }>(
      sql`select kid from signing_key where accepted_until is null`,
    );
    expect(newest).toHaveLength(1);
    expect(made).toContain(newest[0]?.kid);
    await within2Seconds(database, () => [one, other].every(({ keys }) => keys.signing().kid === newest[0]?.kid));
  });
});

describe('administrator tokens', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it.each([
    ['national-system-admin', ['natlsysadmin', 'sysadmin']],
    ['system-admin', ['sysadmin']],
  ] as const)('carry the scopes of a %s', async (role, scope) => {
    const process = authProcess(database);
    await process.keys.onModuleInit();
    const token = await process.tokens.administratorToken(
      { role, subject: 'cli', ttlSeconds: 60, by: CLI },
      new Date(),
    );
    const { iat = 0, ...claims } = decodeJwt(token);
    expect(claims).toMatchObject({ sub: 'cli', userType: 'user', scope, exp: iat + 60 });
  });

  it('carry the scopes and the office of a user', async () => {
    const process = authProcess(database);
    await process.keys.onModuleInit();
    const order = { subject: 'registrar', ttlSeconds: 60, by: CLI, office: aUuid(1) };
    const scopes = ['type=record.register&event=birth', 'record.read'];
    const { iat = 0, ...claims } = decodeJwt(await process.tokens.tokenOfUser({ ...order, scopes }, new Date()));
    expect(claims).toMatchObject({
      ...{ sub: 'registrar', userType: 'user', scope: scopes, office: aUuid(1), exp: iat + 60 },
    });
    await expect(
      process.tokens.tokenOfUser({ ...order, scopes: ['record.read', 'record.stamp'] }, new Date()),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST', message: 'no such scope: "record.stamp"' });
  });

  it.each([0, -1, 1.5, NaN, 601])('do not live %d seconds', async (ttlSeconds) => {
    const { tokens } = authProcess(database);
    const order = { role: 'system-admin', subject: 'cli', ttlSeconds, by: CLI } as const;
    await expect(tokens.administratorToken(order, new Date())).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'a token lives a whole number of seconds from 1 to 600, or more with ALLOW_LONG_TOKENS=true',
    });
  });

  it('live longer where long tokens are allowed', async () => {
    const process = authProcess(database, { ALLOW_LONG_TOKENS: 'true' });
    await process.keys.onModuleInit();
    const order = { role: 'system-admin', subject: 'cli', ttlSeconds: 86_400, by: CLI } as const;
    const { iat = 0, exp } = decodeJwt(await process.tokens.administratorToken(order, new Date()));
    expect(exp).toBe(iat + 86_400);
  });
});
