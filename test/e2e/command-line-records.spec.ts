import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIB } from '../../src/kernel/domain/bytes.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { aSecretsKey, filesIn, matricula, succeed } from '../support/command-line.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

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
      `{"id": "${'x'.repeat(MIB)}"}`,
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
      [7, undefined, [expect.stringMatching(/must not be longer than 1048576 bytes/)]],
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

  it('refuses a file of another kind whole, says what it is, and changes nothing', async () => {
    const records = [aRecord(), aRecord(), aRecord()].map((record) => JSON.stringify(record));
    const array = await aFile('array.ndjson', `[\n${records.join(',\n')}\n]\n`);
    const utf16 = await aFile('utf16.ndjson', Buffer.from(`\ufeff${records.join('\r\n')}`, 'utf16le'));
    const refused = async (...command: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await matricula(command, env);
      expect([code, stdout]).toEqual([1, '']);
      return stderr;
    };
    expect(await refused('import', 'records', array)).toContain('is a JSON array: write an item a line');
    expect(await refused('import', 'records', utf16)).toContain('is UTF-16: write it in UTF-8 first');
    expect(await refused('users', 'import', array)).toContain('is a JSON array');
    expect(await refused('import', 'locations', utf16)).toContain('is UTF-16');
    const ids = records.map((record) => (JSON.parse(record) as { id: string }).id);
    expect(await database.database.query(sql`select from event where id = any (${ids}::uuid[])`)).toEqual([]);
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
