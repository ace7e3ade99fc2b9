import fc from 'fast-check';
import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import { type Cardinalities, UNKNOWN_CARDINALITIES } from '../../src/events/index/statistics/cardinalities.js';
import { TERMS } from '../support/terms.js';
import { fieldOf } from '../../src/events/index/values/data-path.js';
import { importRecords } from '../../src/events/import/import-records.js';
import { compileSingleStatement } from '../../src/events/search/statement/page.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { CountedSearches } from '../support/counted-searches.js';
import { ndjson } from '../support/ndjson.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

const RUNS = Number(process.env['SEARCH_PROPERTY_RUNS'] ?? 25);

/** So many that PostgreSQL reads them all where it thinks that a list takes no longer to compare than one term. */
const RECORDS = 2_500;

/** As many as a condition may list, of which one in ten is somebody's. */
const NAMES = 1_000;
const HELD = 100;

const LETTERS = 'abcdefghij';

/** A name for each number, so that no two records share one. */
const nameOf = (number: number): string =>
  Array.from(String(10_000_000 + number), (digit) => LETTERS.charAt(Number(digit))).join('');

const listed = (list: number): readonly string[] =>
  Array.from({ length: NAMES }, (_, at) => nameOf(at < HELD ? list * HELD + at : RECORDS + list * NAMES + at));

const clause = (list: number) => ({ data: { 'child.name': { type: 'anyOf', terms: listed(list) } } });

const FIRST_NAMES = { 'child.name': 'Ada', 'mother.name': 'Mary' };

/** Those whose child or mother has a name of so many, from one number on; full names are groups of two terms. */
interface List {
  readonly field: keyof typeof FIRST_NAMES;
  readonly from: number;
  readonly count: number;
  readonly isOfFullNames: boolean;
}

type Tree = List | { readonly type: 'and' | 'or'; readonly clauses: readonly Tree[] };

const aList: fc.Arbitrary<List> = fc.record({
  field: fc.constantFrom('child.name', 'mother.name'),
  from: fc.nat(RECORDS),
  count: fc.constantFrom(1, 16, 17, 256, 257, 900),
  isOfFullNames: fc.boolean(),
});
const treeOf = (clause: fc.Arbitrary<Tree>): fc.Arbitrary<Tree> =>
  fc.record({ type: fc.constantFrom('and', 'or'), clauses: fc.array(clause, { minLength: 2, maxLength: 3 }) });
const aTree = treeOf(fc.oneof(aList, treeOf(fc.oneof(aList, treeOf(aList)))));

/** As if some were more frequent than others, so that they are compared instead. */
const SOME_FREQUENT: Cardinalities = {
  ...UNKNOWN_CARDINALITIES,
  records: RECORDS,
  ofTerm: (term) => (term % 3n === 0n ? 100 : 1),
};

/** A tree as a query, and whether a record matches it, by its number. */
function meant(tree: Tree): { readonly query: object; readonly holds: (record: number) => boolean } {
  if ('field' in tree) {
    const { field, from, count, isOfFullNames } = tree;
    const before = isOfFullNames ? `${FIRST_NAMES[field]} ` : '';
    const terms = Array.from({ length: count }, (_, at) => before + nameOf(from + at));
    return {
      query: { data: { [field]: { type: 'anyOf', terms } } },
      holds: (record) => record >= from && record < from + count,
    };
  }
  const parts = tree.clauses.map(meant);
  return {
    query: { type: tree.type, clauses: parts.map(({ query }) => query) },
    holds: (record) =>
      tree.type === 'and' ? parts.every(({ holds }) => holds(record)) : parts.some(({ holds }) => holds(record)),
  };
}

describe('a search for long lists of names', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
    const records = Array.from({ length: RECORDS }, (_, at) =>
      aRecord({
        declaration: {
          'child.name': { firstname: FIRST_NAMES['child.name'], surname: nameOf(at) },
          'mother.name': { firstname: FIRST_NAMES['mother.name'], surname: nameOf(at) },
        },
      }),
    );
    await importRecords(test.database, WITHOUT_FORMS, ndjson(records));
    await test.database.query(sql`vacuum (analyze) event_search`);
  });

  afterAll(() => test.drop());

  async function found(clauses: readonly object[], type: 'and' | 'or'): Promise<{ total: number; plan: string[] }> {
    const search = await new CountedSearches(test.database).compiled({ query: { type, clauses } });
    const statement = compileSingleStatement(search, UNKNOWN_CARDINALITIES);
    const [counted] = await test.database.query<{ total: string }>(statement);
    const plan = await test.database.query<Record<string, string>>(sql`explain (costs off) ${statement}`);
    return { total: Number(counted?.total), plan: plan.map((row) => row['QUERY PLAN'] ?? '') };
  }

  it.each([
    ['one', 1],
    ['ten', 10],
  ])('finds them by the index of terms, without comparing every record with them: %s', async (_, lists) => {
    const { total, plan } = await found(
      Array.from({ length: lists }, (__, list) => clause(list)),
      'or',
    );
    const scans = plan.flatMap((line) => /(?:Seq|Index) Scan on event_search\w*/.exec(line)?.[0] ?? []);
    expect(total).toBe(lists * HELD);
    expect(new Set(scans)).toEqual(new Set(['Index Scan on event_search_terms']));
  });

  it('looks each of many up by itself where bitmaps count the others', async () => {
    const asked: string[] = [];
    const reader: Queryable = {
      query: (statement) => {
        asked.push(statement.toQuery().text);
        return test.database.query(statement);
      },
    };
    const searches = new CountedSearches(test.database);
    const body = { query: { type: 'or', clauses: [{ eventType: aRecord().type }, clause(0)] } };
    const births = TERMS.ofMetadata('type', aRecord().type);
    await searches.buildBitmaps([births]);
    expect(await searches.counted(await searches.compiled(body), new Set([births]), reader)).toBe(RECORDS);
    expect(asked.filter((text) => text.includes('bitmap_match')).map((text) => text.includes('s.terms &&'))).toEqual([
      false,
    ]);
  });

  it('finds what the tree of lists says, for any tree, and counts as many by bitmaps', async () => {
    const records = Array.from({ length: RECORDS }, (_, at) => at);
    const searches = new CountedSearches(test.database);
    // One name in five is frequent, so that lists have both kinds.
    const nameWords = Object.keys(FIRST_NAMES).map((field) => TERMS.field(fieldOf(field)).kind('nameWord'));
    const frequent = new Set(
      records.filter((at) => at % 250 < 50).flatMap((at) => nameWords.map((kind) => kind.term(nameOf(at)).hash)),
    );
    await searches.buildBitmaps([...frequent]);
    let counted = 0;
    await fc.assert(
      fc.asyncProperty(aTree, async (tree) => {
        const { query, holds } = meant(tree);
        const total = records.filter(holds).length;
        const search = await searches.compiled({ query, limit: 0 });
        for (const cardinalities of [UNKNOWN_CARDINALITIES, SOME_FREQUENT]) {
          const [found] = await test.database.query<{ total: string }>(compileSingleStatement(search, cardinalities));
          expect(Number(found?.total)).toBe(total);
        }
        const byBitmaps = await searches.counted(search, frequent);
        if (byBitmaps === undefined) return;
        counted += 1;
        expect(byBitmaps).toBe(total);
      }),
      { numRuns: RUNS },
    );
    expect(counted).toBeGreaterThan(0);
  });

  const fullNames = (firstname: string, from: number) => ({
    type: 'anyOf',
    terms: Array.from({ length: 20 }, (_, at) => `${firstname} ${nameOf(from + at)}`),
  });
  const surnames = (from: number) => ({
    type: 'anyOf',
    terms: Array.from({ length: 300 }, (_, at) => nameOf(from + at)),
  });

  it.each([
    ['of full names', { 'child.name': fullNames('Ada', 100) }, { 'mother.name': fullNames('Mary', 110) }, 10],
    ['of names', { 'child.name': surnames(100) }, { 'mother.name': surnames(250) }, 150],
  ])('never tries each pair of what two lists find: %s', async (_, child, mother, total) => {
    const of = (...clauses: object[]) => found(clauses, 'and');
    const answers = [await of({ data: child }, { data: mother }), await of({ data: { ...child, ...mother } })];
    const pairs = answers.flatMap(({ plan }) => plan.filter((line) => line.match(/seq = ANY/g)?.length === 2));
    expect(answers.map((answer) => answer.total)).toEqual([total, total]);
    expect(pairs).toEqual([]);
  });

  it('finds what has one of many terms, and compares no record of a list with them', async () => {
    const mothers = { type: 'anyOf', terms: Array.from({ length: 60 }, (_, at) => nameOf(250 + at)) };
    const { total, plan } = await found([{ data: { 'child.name': surnames(100), 'mother.name': mothers } }], 'and');
    const compared = plan.filter((line) => /Filter:.*terms &&/.test(line));
    expect([total, compared]).toEqual([60, []]);
  });
});

it('counts a record once that two lists find beside what bitmaps count', async () => {
  const test = await createTestDatabase();
  try {
    const records = Array.from({ length: 60 }, (_, at) =>
      aRecord({
        ...(at < 10 && { type: 'death', status: 'REGISTERED' }),
        declaration: {
          'child.name': { firstname: FIRST_NAMES['child.name'], surname: nameOf(at) },
          'mother.name': { firstname: FIRST_NAMES['mother.name'], surname: nameOf(at) },
        },
      }),
    );
    await importRecords(test.database, WITHOUT_FORMS, ndjson(records));
    const searches = new CountedSearches(test.database);
    const tracked = [TERMS.ofMetadata('type', 'death'), TERMS.ofMetadata('status', 'REGISTERED')];
    await searches.buildBitmaps(tracked);
    const either = (of: object, field: keyof typeof FIRST_NAMES, firstname = '') => {
      const terms = Array.from({ length: 20 }, (_, at) => firstname + nameOf(20 + at));
      return { type: 'or', clauses: [of, { data: { [field]: { type: 'anyOf', terms } } }] };
    };
    const clauses = [
      either({ status: { type: 'exact', term: 'REGISTERED' } }, 'child.name'),
      either({ eventType: 'death' }, 'mother.name', 'Mary '),
    ];
    const search = await searches.compiled({ query: { type: 'and', clauses }, limit: 0 });
    expect(await searches.counted(search, new Set(tracked))).toBe(10 + 20);
  } finally {
    await test.drop();
  }
});
