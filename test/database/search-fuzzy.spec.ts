import { Database } from '../../src/database/pools/database.js';
import { createDataSource } from '../../src/database/schema/data-source.js';
import { DictionaryFollower } from '../../src/derived/near-words/dictionary-follower.js';
import type { DeclarationValue } from '../../src/domain/record/declaration.js';
import type { EventRecord } from '../../src/domain/record/event-record.js';
import { recordRow } from '../../src/records/record-row.js';
import { writeRecords } from '../../src/records/store/write-records.js';
import { sql } from '../../src/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { anInstant } from '../support/builders/an-instant.js';
import { OFFICE } from '../support/hierarchy.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';
import { searchRecords } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';

const fuzzy = (term: string) => ({ type: 'fuzzy', term });
const exact = (term: string) => ({ type: 'exact', term });

/** Values, and for each the terms that find it and those that do not. */
interface Row {
  readonly value: DeclarationValue;
  readonly yes: readonly (string | object)[];
  readonly no: readonly (string | object)[];
}

const NAME = { firstname: 'Musonda Ana', middlename: 'de', surname: 'Łopez' };
const ADDRESS = {
  country: 'FAR',
  addressType: 'DOMESTIC',
  administrativeArea: OFFICE,
  streetLevelDetails: { street: 'Main Street', town: 'Chingola', number: '12' },
};

/** The column for fuzzy conditions of the table of S-10. */
const TABLE: Readonly<Record<string, Row>> = {
  'a text': {
    value: 'Main Street 50%',
    yes: ['main', 'mian', 'STREETS', 'sreet', 'streett 50', 'Strete Main', '50%'],
    no: ['mainz street x', 'stre', '51', '50 60', '', '?!', 'Main Street 50 x'],
  },
  'a text of other letters': { value: 'Żółć ΟΔΟΣ', yes: ['zolc', 'ŻÓŁC', 'οδος', 'zołx'], no: ['zoxx', 'od'] },
  'an e-mail address': {
    value: 'john.doe@post.example',
    yes: ['John.Doe@post.example', 'jon.doe@pots.example', 'johndoe@postexample', 'john.doe@post.exampl'],
    no: ['john', 'john doe', 'post.example', 'jon.do@pots.example'],
  },
  'an e-mail address in a text': {
    value: 'Bob <bob@example.com>, «ann@example.org».',
    yes: ['bob@example.com', '<Bob@Example.com>', 'bob', 'ann@exmple.org'],
    no: ['example', 'com', 'bob@example'],
  },
  'a name in a script whose vowels are marks': {
    value: { firstname: 'রাম' },
    yes: ['রাম', 'রামা'],
    no: ['রিমা', 'রমি'],
  },
  'a name that joiners shape': {
    value: { firstname: 'ක්\u200dරිෂ්ණා', surname: 'می\u200cخواهم' },
    yes: ['ක්රිෂ්ණා', 'ක්\u200dරිෂ්ණා', 'میخواهم', exact('ක්රිෂ්ණා میخواهم')],
    no: ['ක්', 'می', 'خواهم'],
  },
  'a name with a ligature of words': {
    value: { firstname: 'محمد \ufdfa' },
    yes: ['\ufdfa', 'صلى الله', 'مُحَمَّد', exact('\ufdfa'), exact('وسلم محمد')],
    no: ['صلىالله'],
  },
  'a number in a text': {
    value: '0977-123456',
    yes: ['977', '123465', '0977 123456', '1234567', '132546'],
    no: ['97', '0977123456', '654321'],
  },
  'a date': { value: '2024-02-29', yes: ['2024', '2025 02', '29-02-2042'], no: ['20', '2', '2024-03'] },
  'a time': { value: '08:30', yes: ['08', '30 08'], no: ['8', '8:30'] },
  'a number': { value: 1234, yes: [], no: ['1234', '1235'] },
  'a boolean': { value: true, yes: [], no: ['true', 'tru'] },
  'a file': {
    value: { path: 'x/1.png', originalFilename: 'Birth.PNG', type: 'image/png' },
    yes: [{ originalFilename: fuzzy('brith') }],
    no: ['birth', 'Birth.PNG', 'image'],
  },
  'a name': {
    value: NAME,
    yes: ['musonda', 'musunda lopez', 'ana de', 'LOPEZ', 'lpoez', { firstname: fuzzy('muzonda') }],
    no: ['mus', 'musondaxyz', 'musonda lopez banda', 'd', { surname: fuzzy('musonda') }, { firstname: fuzzy('lopez') }],
  },
  'John, who is not Johnson': { value: { firstname: 'Johnson' }, yes: ['johnsen', 'jonson'], no: ['john', 'johns'] },
  'an address': {
    value: ADDRESS,
    yes: ['chingloa', 'main', 'street main', '12', { streetLevelDetails: { town: fuzzy('chinola') } }],
    // Not two of its details together, nor its country.
    no: ['main chingola', 'far', 'FAR', '13', OFFICE, { streetLevelDetails: { street: fuzzy('chingola') } }],
  },
  'a measure': { value: { numericValue: 123, unit: 'gram' }, yes: [{ unit: fuzzy('grams') }], no: ['123', 'gram'] },
  'a label and its value': {
    value: { label: 'Malaria, unspecified', value: 'B547' },
    yes: ['malaira', 'unspecified malaria', 'b548'],
    no: ['malaria b547'],
  },
  'a list': {
    value: ['Main Street', [{ firstname: 'Ana', surname: 'Banda' }]],
    yes: ['man', 'bnada', 'ana banda'],
    // Not a word of one member and a word of another.
    no: ['main banda', 'street ana'],
  },
  'a date range': { value: { start: '2024-01-01', end: '2024-02-01' }, yes: [{ start: fuzzy('2024') }], no: ['2024'] },
  'a data holder': { value: { data: { a: 'Musonda' } }, yes: [{ data: { a: fuzzy('musnoda') } }], no: ['musonda'] },
};

describe.each([
  ['the default collation', {}],
  ['an ICU collation', { icuLocale: 'en-US' }],
])('a fuzzy condition, on a database of %s', (_, options) => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase(options);
  });

  afterAll(() => test.drop());

  it.each(Object.entries(TABLE))('on %s is met by words that are near', async (_kind, { value, yes, no }) => {
    await test.database.query(sql`truncate event cascade`);
    const record = aRecord({ declaration: { 'some.field': value } });
    await storeRecords(test.database, [record, aRecord({ declaration: { 'other.field': value } })]);
    const finds = async (term: string | object): Promise<[unknown, readonly string[]]> => {
      const condition = typeof term === 'string' ? fuzzy(term) : term;
      const { ids } = await searchRecords(test.database, {
        query: { clauses: [{ data: { 'some.field': condition } }] },
      });
      return [term, ids];
    };
    expect(await Promise.all([...yes, ...no].map(finds))).toEqual([
      ...yes.map((term) => [term, [record.id]]),
      ...no.map((term) => [term, []]),
    ]);
  });

  it('in place of the map holds for any one field (S-10)', async () => {
    await test.database.query(sql`truncate event cascade`);
    const named = aRecord({ declaration: { 'child.name': { firstname: 'Musonda', surname: 'Banda' } } });
    const written = aRecord({ declaration: { note: 'known as Musnoda Banda', 'child.dob': '2024-01-01' } });
    const split = aRecord({ declaration: { a: 'Musonda', b: 'Banda' } });
    const deep = aRecord({ declaration: { a: { data: { b: 'Musonda Banda' } } } });
    await storeRecords(test.database, [named, written, split, deep]);
    const find = (term: string) => searchRecords(test.database, { query: { clauses: [{ data: fuzzy(term) }] } });
    expect(await find('Musonda Banda')).toEqual({ total: 2, ids: [named.id, written.id] });
    expect(await find('2024')).toEqual({ total: 1, ids: [written.id] });
  });
});

describe('the order of relevance (S-12)', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });

  afterEach(() => test.database.query(sql`truncate event cascade`));

  afterAll(() => test.drop());

  const older = anInstant('2026-01-01T00:00:00.000Z');
  const newer = anInstant('2026-01-02T00:00:00.000Z');
  const named = (firstname: string, surname: string, changes: Partial<EventRecord> = {}): EventRecord =>
    aRecord({ updatedAt: older, declaration: { name: { firstname, surname } }, ...changes });

  /** Stores the records in an order of their own, and tells in which order, by number, they are found. */
  async function found(records: readonly EventRecord[], body: object): Promise<readonly number[]> {
    await storeRecords(test.database, records.toReversed());
    const { ids } = await searchRecords(test.database, body);
    return ids.map((id) => records.findIndex((record) => record.id === id));
  }

  it('sums the edits of the words, each at its best, then goes by time', async () => {
    const records = [
      named('Musonda', 'Banda'),
      named('Musonda Muzonda', 'Bandaa', { updatedAt: newer }),
      named('Musunda', 'Banda'),
      named('Muzunda', 'Bandaa', { updatedAt: newer }),
      named('Ana', 'Banda'),
    ];
    const query = { clauses: [{ data: { name: fuzzy('Musonda Banda') } }] };
    expect(await found(records, { query })).toEqual([0, 1, 2, 3]);
  });

  it('gives way to an order that is asked for', async () => {
    const records = [named('Musunda', 'Banda', { updatedAt: newer }), named('Musonda', 'Banda')];
    const query = { clauses: [{ data: { name: fuzzy('Musonda') } }] };
    expect(await found(records, { query, sort: [{ field: 'updatedAt', direction: 'desc' }] })).toEqual([0, 1]);
  });

  it('sums over the conditions of an AND, and takes the cheapest clause of an OR that holds', async () => {
    const records = [
      named('Musunda', 'Other', { trackingId: 'AAAAAA' }),
      named('Musunda', 'Banda'),
      named('Muzunda', 'Banda', { updatedAt: newer }),
      named('Musnuda', 'Bandaa', { updatedAt: newer }),
      // Two edits by one clause, one by another.
      named('Musnuda', 'Banda Chibwe', { updatedAt: newer }),
    ];
    const query = {
      type: 'or',
      clauses: [
        { trackingId: exact('AAAAAA') },
        { data: { name: fuzzy('Chibwa') } },
        { type: 'and', clauses: [{ data: { name: fuzzy('Musonda') } }, { data: { name: fuzzy('Banda') } }] },
      ],
    };
    expect(await found(records, { query })).toEqual([0, 4, 1, 2, 3]);
  });

  it('takes the best member of a list, of those that satisfy the whole map', async () => {
    const person = (name: string, role: string): DeclarationValue => ({ data: { name, role } });
    const records = [
      aRecord({
        updatedAt: older,
        declaration: { people: [person('Muzonda', 'witness'), person('Muzunda', 'witness')] },
      }),
      aRecord({
        updatedAt: newer,
        declaration: { people: [person('Musonda', 'parent'), person('Muzunda', 'witness')] },
      }),
    ];
    const map = { data: { name: fuzzy('Musonda'), role: exact('witness') } };
    expect(await found(records, { query: { clauses: [{ data: { people: map } }] } })).toEqual([0, 1]);
  });

  it('takes the best field where any will do', async () => {
    const records = [
      aRecord({ updatedAt: older, declaration: { a: 'Muzunda', b: 'Musonda' } }),
      aRecord({ updatedAt: newer, declaration: { a: 'Muzonda' } }),
    ];
    expect(await found(records, { query: { clauses: [{ data: fuzzy('Musonda') }] } })).toEqual([0, 1]);
  });
});

describe('words that other processes write (S-14)', () => {
  let test: TestDatabase;
  let other: Database;
  let follower: DictionaryFollower;

  beforeAll(async () => {
    test = await createTestDatabase();
    other = new Database(await createDataSource(test.url, 4).initialize());
    follower = new DictionaryFollower(test.database);
    await follower.caughtUp();
  });

  afterAll(async () => {
    await other.dataSource.destroy();
    await test.drop();
  });

  const named = (name: string) => aRecord({ declaration: { name: { firstname: name } } });
  const prepared = (record: EventRecord) => ({
    id: record.id,
    incoming: { kind: 'record' as const, record },
    row: recordRow({ record, notified: undefined }),
  });
  async function find(term: string): Promise<readonly string[]> {
    const body = { query: { clauses: [{ data: { name: fuzzy(term) } }] } };
    return (await searchRecords(test.database, body, await follower.caughtUp())).ids;
  }

  it('are found by the next search, whichever process makes it', async () => {
    for (const [written, searched] of [
      ['Abimbola', 'Abimbloa'],
      ['Chukwuemeka', 'Chukwumeka'],
      ['9876543210', '9876543201'],
    ] as const) {
      const record = named(written);
      await storeRecords(other, [record]);
      expect(await find(searched)).toEqual([record.id]);
    }
  });

  it('are found although a transaction that began earlier commits later', async () => {
    const [early, late] = [named('Temwanani'), named('Wezi Chikondi')];
    await other.transaction(async (transaction) => {
      await writeRecords(transaction, [prepared(early)]);
      await storeRecords(other, [late]);
      expect(await find('Chikndi')).toEqual([late.id]);
      expect(await find('Temwanane')).toEqual([]);
    });
    expect(await find('Temwanane')).toEqual([early.id]);
  });

  it('of a transaction that was rolled back are none, and can be written again', async () => {
    const record = named('Nkandu');
    const undone = other.transaction(async (transaction) => {
      await writeRecords(transaction, [prepared(record)]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect((await follower.caughtUp()).dictionary.inEachField('nkandu').words).toEqual([]);
    await storeRecords(other, [record]);
    expect(await find('nkadnu')).toEqual([record.id]);
  });

  it('are all found while many write at once, some of them the same words', async () => {
    const writers = [test.database, other].flatMap((database) =>
      Array.from({ length: 4 }, async (_, writer) => {
        for (let turn = 0; turn < 6; turn++) {
          const word = `writer${'abcdefgh'.charAt(writer)}turn${'uvwxyz'.charAt(turn)}`;
          const record = named(`${word} shared${'klmnop'.charAt(turn)} common`);
          await storeRecords(database, [record]);
          expect(await find(`${word} shared`)).toContain(record.id);
        }
      }),
    );
    await Promise.all(writers);
    expect(await find('comon')).toHaveLength(48);
  });

  it('are read through a cursor when there are many', async () => {
    const words = Array.from({ length: 3_000 }, (_, at) => `x${String(at).padStart(4, '0')}`);
    const record = aRecord({ declaration: { name: 'Kapembwa', words: words.join(' ') } });
    await storeRecords(other, [record]);
    expect(await find('kapebwma')).toEqual([record.id]);
    const fresh = await new DictionaryFollower(other).caughtUp();
    const body = { query: { clauses: [{ data: { words: fuzzy('x2999') } }] } };
    expect((await searchRecords(test.database, body, fresh)).total).toBe(1);
  });

  it('are found when many records bring others of the same kind at once', async () => {
    const records = Array.from({ length: 40 }, (_, at) =>
      aRecord({ declaration: { nid: String(7_000_000_000 + at * 97_654_321) } }),
    );
    await storeRecords(other, records);
    const body = { query: { clauses: [{ data: { nid: fuzzy('9929629603') } }] } };
    for (const known of [await follower.caughtUp(), await new DictionaryFollower(other).caughtUp()]) {
      expect(await searchRecords(test.database, body, known)).toEqual({ total: 1, ids: [records[30]?.id] });
    }
  });

  it('of a dump from another cluster are known once, and new ones are found behind them', async () => {
    for (const table of [sql`fuzzy_word`, sql`fuzzy_word_list`]) {
      await test.database.query(sql`update ${table} set written_by = '4000000000'`);
    }
    const reader = new DictionaryFollower(other);
    expect((await reader.caughtUp()).dictionary.inEachField('abimbola').words).toHaveLength(1);
    expect(
      await test.database.query(
        sql`select from (select written_by from fuzzy_word union all select written_by from fuzzy_word_list) as written
             where written_by >= pg_snapshot_xmax(pg_current_snapshot())`,
      ),
    ).toEqual([]);
  });
});
