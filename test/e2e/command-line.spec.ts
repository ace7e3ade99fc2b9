import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { decodeProtectedHeader } from 'jose';

import type { RunningApplication } from '../support/application.js';
import { startApplication } from '../support/application.js';
import { aRecord } from '../support/builders/a-record.js';
import type { CommandResult } from '../support/command-line.js';
import { aSecretsKey, matricula, succeed } from '../support/command-line.js';
import { createTestDatabase } from '../support/postgres.js';

const SECRETS_KEY = aSecretsKey();
let service: RunningApplication;
let env: Readonly<Record<string, string>>;
let directory: string;
beforeAll(async () => {
  service = await startApplication({ env: { SECRETS_KEY } });
  env = { SECRETS_KEY, DATABASE_URL: service.database.url };
  directory = await mkdtemp(join(tmpdir(), 'matricula-cli-'));
});
afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true });
});

async function aFile(name: string, content: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, content);
  return path;
}

const UNKNOWN_ID = '5b8d9f0e-6c1a-4d0b-9a4e-2f7c3d1e0a99';

/** Each of `commands`, three at a time. */
async function eachOf(
  commands: readonly (readonly string[])[],
  variables?: Readonly<Record<string, string>>,
): Promise<readonly CommandResult[]> {
  const results: CommandResult[] = [];
  for (let at = 0; at < commands.length; at += 3) {
    const some = commands.slice(at, at + 3).map((arguments_) => matricula(arguments_, variables));
    results.push(...(await Promise.all(some)));
  }
  return results;
}

const HELP: readonly (readonly [readonly string[], readonly string[]])[] = [
  [['--help'], ['serve', 'migrate', 'seed', 'import', 'export', 'token', 'clients', 'keys', 'webhooks', '--version']],
  [
    ['import', '--help'],
    ['records', 'locations'],
  ],
  [['export', 'records', '--help'], ['--query']],
  [
    ['seed', '--help'],
    ['--records', '--seed', '--until', '--json'],
  ],
  [
    ['token', '--help'],
    ['--role', '--ttl', '--subject', '--json'],
  ],
  [
    ['clients', '--help'],
    ['list', 'register', 'deactivate', 'reactivate'],
  ],
];

const WRONG_USAGE: readonly (readonly [readonly string[], string])[] = [
  [[], 'Usage: matricula'],
  [['nonsense'], "unknown command 'nonsense'"],
  [['migrate', '--jsn'], 'Did you mean --json?'],
  [['import', 'records'], "missing required argument 'file'"],
  [['seed', '--records', '-1'], 'a whole number from 0 to 100000000'],
  [['seed', '--records', '1', '--until', '2026-02-30'], 'a calendar date, YYYY-MM-DD'],
  [['token', '--role', 'king'], 'national-system-admin, system-admin'],
  [['clients', 'register'], 'one of --as and --scope is needed'],
  [['clients', 'deactivate', 'x'], 'a UUID is needed'],
  [['clients', 'register', '--as', 'WEBHOOK', '--webhook-format', 'xml'], 'Allowed choices are standard, opencrvs-1x'],
];

describe('the command line', () => {
  it('names what there is, on standard output, when it is asked', async () => {
    const results = await eachOf(HELP.map(([arguments_]) => arguments_));
    expect(results.map(({ code, stderr }) => [code, stderr])).toEqual(HELP.map(() => [0, '']));
    HELP.forEach(([, names], at) => {
      for (const name of names) expect(results[at]?.stdout).toMatch(new RegExp(`^ +(-., )?${name}\\b`, 'm'));
    });
  });

  it('tells its version', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(await matricula(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('ends with 2 when it is used wrongly, and says what is right on standard error', async () => {
    const results = await eachOf(WRONG_USAGE.map(([arguments_]) => arguments_));
    expect(results).toEqual(
      WRONG_USAGE.map(([, message]) => ({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(message) as string,
      })),
    );
  });
});

/** For `NODE_OPTIONS`: whoever loads a framework fails. */
function withoutFrameworks(): string {
  const hook = `export const resolve = (name, context, next) => {
    if (/^(@nestjs|typeorm|rxjs|fastify)\\b/.test(name)) throw new Error(name + ' is loaded');
    return next(name, context);
  };`;
  const asModule = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`;
  return `--import=${asModule(`import { register } from 'node:module'; register(${JSON.stringify(asModule(hook))});`)}`;
}

describe('what needs no services', () => {
  it('loads none of the frameworks, which take most of a second: help, wrong usage, variables and files', async () => {
    const bare = { NODE_OPTIONS: withoutFrameworks(), SECRETS_KEY };
    const outcomes = await Promise.all([
      matricula(['clients', '--help'], bare),
      matricula(['webhooks', 'replay', 'x', '--delivery', 'x'], bare),
      matricula(['token', '--role', 'system-admin'], { ...bare, PORT: '70700' }),
      matricula(['import', 'records', join(directory, 'missing')], bare),
      matricula(['clients', 'list'], { ...bare, DATABASE_URL: service.database.url }),
    ]);
    expect(outcomes.map(({ code }) => code)).toEqual([0, 2, 1, 1, 1]);
    expect(outcomes.map(({ stderr }) => stderr.includes('is loaded'))).toEqual([false, false, false, false, true]);
  });
});

describe('a failure ends with 1, and says what is wrong:', () => {
  it('every wrong variable, each on a line of its own', async () => {
    const wrong = { PORT: '70700', TIMEZONE: 'Mars/Olympus', LOG_LEVEL: 'loud' };
    const expected = {
      code: 1,
      stdout: '',
      stderr: [
        'PORT: is "70700"; allowed: a whole number from 0 to 65535',
        'TIMEZONE: is "Mars/Olympus"; allowed: an IANA time zone such as Africa/Lusaka',
        'LOG_LEVEL: is "loud"; allowed: one of fatal, error, warn, info, debug, trace',
        '',
      ].join('\n'),
    };
    expect(await Promise.all([matricula(['serve'], wrong), matricula(['clients', 'list'], wrong)])).toEqual([
      expected,
      expected,
    ]);
  });

  it('a file that cannot be read', async () => {
    const missing = join(directory, 'missing');
    const commands = [
      ['import', 'records', missing],
      ['import', 'locations', missing],
      ['export', 'records', '--query', missing],
      ['import', 'records', directory],
    ];
    const outcomes = await Promise.all(commands.map((arguments_) => matricula(arguments_, env)));
    expect(outcomes.map(({ code, stderr }) => [code, stderr])).toEqual([
      [1, `${missing}: there is no such file\n`],
      [1, `${missing}: there is no such file\n`],
      [1, `${missing}: there is no such file\n`],
      [1, `${directory}: it is a directory\n`],
    ]);
  });

  it('a file that holds something else', async () => {
    const broken = await aFile('broken.json', '{"administrativeAreas": [');
    const faulty = await aFile('faulty.json', '{"administrativeAreas": [{"id": "x", "name": "North"}]}');
    const orphan = await aFile(
      'orphan.json',
      JSON.stringify({ administrativeAreas: [{ id: aRecord().id, name: 'North', partOf: UNKNOWN_ID }] }),
    );
    const query = await aFile('query.json', '{"query": {"clauses": [{"nonsense": 1}]}}');
    const outcomes = await Promise.all([
      matricula(['import', 'locations', broken], env),
      matricula(['import', 'locations', faulty], env),
      matricula(['import', 'locations', orphan], env),
      matricula(['export', 'records', '--query', query], env),
    ]);
    expect(outcomes.map(({ code, stdout }) => [code, stdout])).toEqual(outcomes.map(() => [1, '']));
    expect(outcomes.map(({ stderr }) => stderr)).toEqual([
      expect.stringContaining(`${broken} is not JSON`),
      expect.stringContaining('administrativeAreas[0].id: must be a UUID'),
      expect.stringContaining(UNKNOWN_ID),
      expect.stringContaining('query.clauses[0].nonsense: '),
    ]);
  });

  it('a client that does not exist', async () => {
    expect(await matricula(['clients', 'deactivate', UNKNOWN_ID], env)).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no client ${UNKNOWN_ID}.\n`,
    });
  });
});

describe('clients', () => {
  it('are registered, listed, deactivated and reactivated, as a running service heeds', async () => {
    const asJson = async (...arguments_: string[]): Promise<unknown> =>
      JSON.parse(await succeed(['clients', ...arguments_, '--json'], env));
    const registered = await asJson(
      'register',
      '--as',
      'HEALTH',
      '--name',
      'Clinic 7',
      '--webhook-format',
      'opencrvs-1x',
    );
    const { client_id, client_secret } = registered as { client_id: string; client_secret: string };
    expect(registered).toEqual({
      client_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      client_secret: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      sha_secret: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
    const granted = async (): Promise<number> => {
      const body = { client_id, client_secret, grant_type: 'client_credentials' };
      return (await service.request('POST', '/auth/token', { body })).status;
    };
    const statuses = [await granted()];
    const rotated = (await asJson('rotate-sha-secret', client_id)) as { sha_secret: string };
    expect(rotated).toEqual({ client_id, sha_secret: expect.stringMatching(/^[0-9a-f-]{36}$/) as string });
    expect(rotated.sha_secret).not.toBe((registered as { sha_secret: string }).sha_secret);
    expect(await asJson('deactivate', client_id)).toEqual({ client_id, status: 'deactivated' });
    // Within two seconds in other processes (G-3); the wait is for a busy machine.
    await new Promise((resolve) => setTimeout(resolve, 500));
    statuses.push(await granted());
    const listed = await succeed(['clients', 'list'], env);
    expect(listed).toContain(`${client_id}  deactivated  health  Clinic 7\n`);
    expect(listed).not.toContain(client_secret);
    expect(await asJson('reactivate', client_id)).toEqual({ client_id, status: 'active' });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect([...statuses, await granted()]).toEqual([200, 401, 200]);
  });
});

describe('keys', () => {
  it('rotate under a running service: old tokens go on working, new ones have the new key, verifiers see both', async () => {
    const { clientId, clientSecret, token: before } = await service.registerClient('HEALTH');
    const { kid } = JSON.parse(await succeed(['keys', 'rotate', '--json'], env)) as { kid: string };
    const newToken = async (): Promise<string> => {
      const body = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' };
      return ((await service.request('POST', '/auth/token', { body })).json as { access_token: string }).access_token;
    };
    let after = await newToken();
    for (const until = Date.now() + 5_000; decodeProtectedHeader(after).kid !== kid && Date.now() < until;) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      after = await newToken();
    }
    const old = decodeProtectedHeader(before).kid;
    expect([decodeProtectedHeader(after).kid, old === kid]).toEqual([kid, false]);
    const searches = [before, after].map((token) =>
      service.request('POST', '/events/search', { token, body: { query: { clauses: [{ eventType: 'birth' }] } } }),
    );
    expect((await Promise.all(searches)).map(({ status }) => status)).toEqual([200, 200]);
    const { json } = await service.request('GET', '/.well-known/jwks.json');
    expect((json as { keys: { kid: string }[] }).keys.map((key) => key.kid)).toEqual([kid, old]);
  });
});

describe('import records', () => {
  it('takes what is right, and keeps what is not with its faults', async () => {
    const [one, two, three] = [aRecord(), aRecord(), aRecord()];
    const [nul, surrogate, ruleless] = [aRecord(), aRecord(), aRecord()];
    const lines = [
      JSON.stringify(one),
      'not JSON',
      JSON.stringify({ ...ruleless, status: 'BORN', updatedAt: 'yesterday' }),
      JSON.stringify({ ...one, type: 'death' }),
      JSON.stringify({ ...nul, declaration: { 'child.note': 'a\u0000b' } }),
      JSON.stringify({ ...surrogate, declaration: { 'child.note': '\ud800' } }),
      `{"id": "${'x'.repeat(8 * 1024 * 1024)}"}`,
      JSON.stringify(two),
      JSON.stringify({ ...aRecord(), trackingId: one.trackingId }),
      '',
      JSON.stringify(three),
    ];
    const file = await aFile('records.ndjson', lines.join('\r\n'));
    const { code, stdout, stderr } = await matricula(['import', 'records', file, '--json'], env);
    expect({ code, counts: JSON.parse(stdout) as unknown }).toEqual({
      code: 0,
      counts: { imported: 3, updated: 1, rejected: 6 },
    });
    expect(stderr).toContain(`${file}.rejected.ndjson`);

    const rejected = (await readFile(`${file}.rejected.ndjson`, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { line: number; id?: string; issues: { message: string }[]; text: string });
    expect(rejected.map(({ line, id, issues }) => [line, id, issues.map(({ message }) => message)])).toEqual([
      [2, undefined, [expect.stringMatching(/must be JSON/)]],
      [3, ruleless.id, [expect.stringMatching(/^status: /), expect.stringMatching(/^updatedAt: /)]],
      [5, nul.id, [expect.stringMatching(/^declaration\["child\.note"\]: /)]],
      [6, surrogate.id, [expect.stringMatching(/^declaration\["child\.note"\]: /)]],
      [7, undefined, [expect.stringMatching(/must not be longer than 8388608 bytes/)]],
      [9, expect.any(String), ['trackingId: is that of another event']],
    ]);
    expect(rejected.map(({ text }) => text)).toEqual([
      lines[1],
      lines[2],
      lines[4],
      lines[5],
      lines[6]?.slice(0, 1_000),
      lines[8],
    ]);
    expect((await stat(`${file}.rejected.ndjson`)).mode & 0o777).toBe(0o600);

    const again = await matricula(['import', 'records', await aFile('records.ndjson', JSON.stringify(two))], env);
    expect([again.code, again.stdout]).toEqual([0, '0 imported, 1 updated, 0 rejected\n']);
    await expect(stat(`${file}.rejected.ndjson`)).rejects.toThrow('ENOENT');
  });
});

describe('export records', () => {
  it('gives the same bytes again after an import of them into another database', async () => {
    const other = await createTestDatabase();
    try {
      const there = { SECRETS_KEY, DATABASE_URL: other.url };
      await succeed(['seed', '--records', '150', '--seed', '5'], there);
      const exported = await succeed(['export', 'records'], there);
      const file = await aFile('exported.ndjson', exported);
      const third = await createTestDatabase();
      try {
        const elsewhere = { SECRETS_KEY, DATABASE_URL: third.url };
        expect(await succeed(['import', 'records', file], elsewhere)).toBe('150 imported, 0 updated, 0 rejected\n');
        expect(await succeed(['export', 'records'], elsewhere)).toBe(exported);
      } finally {
        await third.drop();
      }
    } finally {
      await other.drop();
    }
  });

  it('gives what a query finds, within a place too', async () => {
    const [area, office] = [aRecord().id, aRecord().id];
    const places = {
      administrativeAreas: [{ id: area, name: 'North', partOf: null }],
      locations: [{ id: office, name: 'Office', partOf: area, locationType: 'CRVS_OFFICE' }],
    };
    const [inside, outside] = [aRecord({ createdAtLocation: office }), aRecord()];
    await succeed(['import', 'locations', await aFile('places.json', JSON.stringify(places))], env);
    const lines = [inside, outside].map((record) => JSON.stringify(record)).join('\n');
    await succeed(['import', 'records', await aFile('two.ndjson', lines)], env);
    const query = { query: { clauses: [{ createdAtLocation: { type: 'within', location: area } }] } };
    const file = await aFile('within.json', JSON.stringify(query));
    const exported = await succeed(['export', 'records', '--query', file], env);
    expect(
      exported
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: string }).id),
    ).toEqual([inside.id]);
  });
});

describe('migrate', () => {
  it('brings an empty database up to date, once', async () => {
    const empty = await createTestDatabase({ migrated: false });
    try {
      const there = { DATABASE_URL: empty.url };
      const first = JSON.parse(await succeed(['migrate', '--json'], there)) as { ran: string[] };
      expect(first.ran.length).toBeGreaterThan(0);
      expect(await succeed(['migrate'], there)).toBe('The schema is up to date.\n');
    } finally {
      await empty.drop();
    }
  });

  it('is left to itself by commands that only read, sign or seal (P-7)', async () => {
    const empty = await createTestDatabase({ migrated: false });
    const commands = [
      ['keys', 'rotate'],
      ['keys', 'reseal'],
      ['export', 'records'],
      ['audit'],
      ['webhooks', 'list'],
      ['webhooks', 'deliveries', UNKNOWN_ID],
      ['reindex', '--check'],
    ];
    try {
      const results = await eachOf(commands, { SECRETS_KEY, DATABASE_URL: empty.url });
      const isBehind = expect.stringMatching(/^The schema of the database is older than this program: /) as string;
      expect(results).toEqual(commands.map(() => ({ code: 1, stdout: '', stderr: isBehind })));
      expect(await empty.dataSource.query("select from pg_tables where schemaname = 'public'")).toEqual([]);
    } finally {
      await empty.drop();
    }
  });
});
