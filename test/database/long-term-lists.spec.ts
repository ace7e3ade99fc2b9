import { UNKNOWN_CARDINALITIES } from '../../src/derived/statistics/cardinalities.js';
import { WITHOUT_FORMS } from '../../src/domain/event-configuration/event-configuration.js';
import { importRecords } from '../../src/intake/import/import-records.js';
import { compileSingleStatement } from '../../src/search/statement/page.js';
import { sql } from '../../src/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { CountedSearches } from '../support/counted-searches.js';
import { ndjson } from '../support/ndjson.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';

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

describe('a search for long lists of names', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
    const records = Array.from({ length: RECORDS }, (_, at) =>
      aRecord({ declaration: { 'child.name': { firstname: 'Ada', surname: nameOf(at) } } }),
    );
    await importRecords(test.database, WITHOUT_FORMS, ndjson(records));
    await test.database.query(sql`vacuum (analyze) event_search`);
  });

  afterAll(() => test.drop());

  it.each([
    ['one', 1],
    ['ten', 10],
  ])('finds them by the index of terms, without comparing every record with them: %s', async (_, lists) => {
    const clauses = Array.from({ length: lists }, (__, list) => clause(list));
    const search = await new CountedSearches(test.database).compiled({ body: { query: { type: 'or', clauses } } });
    const statement = compileSingleStatement(search, UNKNOWN_CARDINALITIES);
    const [counted] = await test.database.query<{ total: string }>(statement);
    const plan = await test.database.query<Record<string, string>>(sql`explain (costs off) ${statement}`);
    const found = plan.flatMap((row) => row['QUERY PLAN']?.match(/(?:Seq|Index) Scan on event_search\w*/)?.[0] ?? []);
    expect(Number(counted?.total)).toBe(lists * HELD);
    expect(new Set(found)).toEqual(new Set(['Index Scan on event_search_terms']));
  });
});
