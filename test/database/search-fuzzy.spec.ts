import type { DeclarationValue } from '../../src/kernel/domain/event-record.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { OFFICE } from '../support/hierarchy.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { searchRecords } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';
import { exact, fuzzy } from '../support/value-conditions.js';

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
    yes: ['John.Doe@post.example', '<john.doe@POST.example>'],
    no: ['john', 'john doe', 'post.example', 'jon.doe@post.example', 'john.doe@post.exampl'],
  },
  'an e-mail address in a text': {
    value: 'Bob <bob@example.com>, «ann@example.org».',
    yes: ['bob@example.com', '<Bob@Example.com>', 'bob', 'ann@example.org'],
    no: ['example', 'com', 'bob@example', 'ann@exmple.org'],
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
    yes: ['\ufdfa', 'صلى الله', 'صلىالله', 'مُحَمَّد', exact('\ufdfa'), exact('وسلم محمد')],
    no: [exact('صلىالله')],
  },
  'a number in a text': {
    value: '0977-123456',
    yes: ['0977', '123456', '0977 123456', '123456 0977'],
    no: ['97', '977', '123465', '1234567', '0977123456', '654321'],
  },
  'a date': { value: '2024-02-29', yes: ['2024', '2024 02', '29-02-2024'], no: ['20', '2', '2024-03', '2025'] },
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
  'an id inside a value': {
    value: { ...ADDRESS, administrativeArea: 'c0ffee12-3456-4abc-9def-0123456789ab' },
    yes: ['C0FFEE12-3456-4abc-9def-0123456789ab', '0123456789ab', 'c0ffee12', '9edf', '4abd 9edf'].map((term) => ({
      administrativeArea: fuzzy(term),
    })),
    no: ['012345678', 'coffee12', '0123456789ac', '9dfee', '3456 9fff'].map((term) => ({
      administrativeArea: fuzzy(term),
    })),
  },
  'a measure': { value: { numericValue: 123, unit: 'gram' }, yes: [{ unit: fuzzy('grams') }], no: ['123', 'gram'] },
  'a label and its value': {
    value: { label: 'Malaria, unspecified', value: 'B547' },
    yes: ['malaira', 'unspecified malaria', 'b547'],
    no: ['malaria b547', 'b548'],
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
