import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { aRecord } from '../support/builders/a-record.js';
import type { CommandResult } from '../support/command-line.js';
import { aSecretsKey, filesIn, matricula, matriculaAlone, succeed } from '../support/command-line.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';

const SECRETS_KEY = aSecretsKey();
let database: TestDatabase;
let env: Readonly<Record<string, string>>;
let directory: string;
beforeAll(async () => {
  database = await createTestDatabase();
  env = { SECRETS_KEY, DATABASE_URL: database.url };
  directory = await mkdtemp(join(tmpdir(), 'matricula-cli-'));
});
afterAll(async () => {
  await database.drop();
  await rm(directory, { recursive: true });
});

const aFile = filesIn(() => directory);

const UNKNOWN_ID = '5b8d9f0e-6c1a-4d0b-9a4e-2f7c3d1e0a99';

async function eachOf(commands: readonly (readonly string[])[]): Promise<readonly CommandResult[]> {
  const results: CommandResult[] = [];
  for (const arguments_ of commands) results.push(await matricula(arguments_));
  return results;
}

const HELP: readonly (readonly [readonly string[], readonly string[]])[] = [
  [
    ['--help'],
    ['serve', 'migrate', 'seed', 'import', 'export', 'token', 'clients', 'users', 'keys', 'webhooks', '--version'],
  ],
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
  [
    ['users', '--help'],
    ['list', 'create', 'deactivate', 'activate', 'reset-password', 'import'],
  ],
  [
    ['notices', 'list', '--help'],
    ['--since', '--limit', '--json'],
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
  [['token'], '--role or --scope is needed'],
  [['token', '--scope', 'record.read', '--office', 'Ibombo'], 'Allowed: a UUID.'],
  [['token', '--role', 'system-admin', '--subject', ''], 'must be text of 1 to 256 characters'],
  [['token', '--scope', 'record.create', '--subject', 'x'.repeat(257)], 'must be text of 1 to 256 characters'],
  [['users', 'create', '--username', 'a'], "required option '--role <role>' not specified"],
  [['clients', 'register'], 'one of --as and --scope is needed'],
  [['clients', 'deactivate', 'x'], 'a UUID is needed'],
  [['notices', 'list', '--since', 'yesterday'], 'a date-time in UTC'],
  [['clients', 'register', '--as', 'WEBHOOK', '--webhook-format', 'xml'], 'Allowed choices are standard, opencrvs-1x'],
];

describe('the command line', () => {
  it('names what there is, on standard output, when it is asked', async () => {
    const results = await eachOf(HELP.map(([arguments_]) => arguments_));
    expect(results.map(({ code, stderr }) => [code, stderr])).toEqual(HELP.map(() => [0, '']));
    HELP.forEach(([, names], at) => {
      for (const name of names) expect(results[at]?.stdout).toMatch(new RegExp(`^ +(-., )?${name}\\b`, 'm'));
      expect(results[at]?.stdout).not.toContain('default: false');
    });
  });

  it('tells its version', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(await matriculaAlone(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
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
      matriculaAlone(['clients', '--help'], bare),
      matriculaAlone(['webhooks', 'replay', 'x', '--delivery', 'x'], bare),
      matriculaAlone(['token', '--role', 'system-admin'], { ...bare, PORT: '70700' }),
      matriculaAlone(['import', 'records', join(directory, 'missing')], bare),
      matriculaAlone(['clients', 'list'], { ...bare, DATABASE_URL: database.url }),
    ]);
    expect(outcomes.map(({ code }) => code)).toEqual([0, 2, 1, 1, 1]);
    expect(outcomes.map(({ stderr }) => stderr.includes('is loaded'))).toEqual([false, false, false, false, true]);
  });
});

describe('a failure ends with 1, and says what is wrong:', () => {
  it('a role with a scope that nobody knows, and nothing beside that', async () => {
    const ROLES = JSON.stringify([{ id: 'CLERK', label: 'Clerk', scopes: ['record.read', 'record.seal'] }]);
    const fault = 'ROLES: [0].scopes[1]: "record.seal" is no scope of this service\n';
    const commands = [['clients', 'list'], ['migrate'], ['serve']];
    const results = await Promise.all(commands.map((command) => matriculaAlone(command, { ...env, ROLES })));
    expect(results).toEqual(commands.map(() => ({ code: 1, stdout: '', stderr: fault })));
  });

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

  it('refuses, as the start does, a database made before the initial schema (P-7)', async () => {
    const earlier = await createTestDatabase({ migrated: false });
    try {
      await earlier.dataSource.query('create table migration (id serial primary key, timestamp bigint, name varchar)');
      await earlier.dataSource.query(`insert into migration (name) values ('InitialSchema1764000000000')`);
      const there = { DATABASE_URL: earlier.url };
      const stderr =
        'This database was made by a build before the initial schema: export its records with that build and import ' +
        'them into an empty database, or take another DATABASE_URL or DATA_DIR\n';
      for (const command of ['migrate', 'serve']) {
        expect(await matricula([command], there)).toEqual({ code: 1, stdout: '', stderr });
      }
    } finally {
      await earlier.drop();
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
      ['notices', 'list'],
      ['reindex', '--check'],
    ];
    try {
      const there = { SECRETS_KEY, DATABASE_URL: empty.url };
      const results: CommandResult[] = [];
      for (const arguments_ of commands) results.push(await matricula(arguments_, there));
      const isBehind = expect.stringMatching(/^The schema of the database is older than this program: /) as string;
      expect(results).toEqual(commands.map(() => ({ code: 1, stdout: '', stderr: isBehind })));
      expect(await empty.dataSource.query("select from pg_tables where schemaname = 'public'")).toEqual([]);
    } finally {
      await empty.drop();
    }
  });
});
