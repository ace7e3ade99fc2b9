import { TERMS } from '../support/terms.js';
import fc from 'fast-check';
import { UNKNOWN_CARDINALITIES } from '../../src/events/index/statistics/cardinalities.js';
import type { DuplicateRule } from '../../src/kernel/domain/event-configuration/event-type.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { candidatesClause, candidatesRequest, duplicatesAmong } from '../../src/events/search/duplicate-search.js';
import { planOf } from '../../src/events/search/plan/plan.js';
import { compileSearch } from '../../src/events/search/predicate/compile-search.js';
import { SearchRepository } from '../../src/events/search/search.repository.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { someRecords } from '../support/arbitrary-record.js';
import { below } from '../support/hierarchy.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { knownFor } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';
import { aDate, aText, FIELDS_OF_ANY_KIND, NOW, RECORD_NUMBERS } from '../support/vocabulary.js';

const RUNS = Number(process.env['SEARCH_PROPERTY_RUNS'] ?? 3);

const aField = fc.constantFrom(...FIELDS_OF_ANY_KIND);
const ofField = { field: aField, with: aField };
const aRule: fc.Arbitrary<DuplicateRule> = fc.letrec<{ rule: DuplicateRule }>((tie) => {
  const clauses = fc.array(tie('rule'), { minLength: 1, maxLength: 3, depthIdentifier: 'rule' });
  return {
    rule: fc.oneof(
      { depthIdentifier: 'rule', maxDepth: 2 },
      fc.record({ type: fc.constant('fuzzy'), ...ofField }, { requiredKeys: ['type', 'field'] }),
      fc.record({ type: fc.constant('strict'), ...ofField }, { requiredKeys: ['type', 'field'] }),
      fc.record(
        { type: fc.constant('dateRange'), days: fc.constantFrom(0, 5, 400), ...ofField },
        { requiredKeys: ['type', 'days', 'field'] },
      ),
      fc.record({ type: fc.constant('and'), clauses }),
      fc.record({ type: fc.constant('or'), clauses }),
      fc.record({ type: fc.constant('not'), clause: tie('rule') }),
    ),
  };
}).rule;

/** Values that rules compare, on top of those of every kind. */
const aDeclaration = fc.dictionary(
  aField,
  fc.oneof(aText, aDate, fc.record({ firstname: aText, surname: aText }), fc.constantFrom(3, 3.5)),
  { minKeys: 3, maxKeys: 5 },
);
const RECORDS = { minLength: RECORD_NUMBERS.length, maxLength: RECORD_NUMBERS.length };

const earliestFirst = (one: EventRecord, other: EventRecord): number =>
  one.createdAt === other.createdAt
    ? Number(one.id > other.id) - Number(one.id < other.id)
    : Number(one.createdAt > other.createdAt) - Number(one.createdAt < other.createdAt);

describe('a search for duplicates', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });

  afterAll(() => test.drop());

  it('finds what a comparison with every record finds, wherever the rule narrows it', async () => {
    let narrowed = 0;
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(
        fc
          .tuple(someRecords(RECORD_NUMBERS.length), fc.array(aDeclaration, RECORDS))
          .map(([records, declarations]) =>
            records.map((record, at) => ({ ...record, declaration: { ...record.declaration, ...declarations[at] } })),
          ),
        fc.array(aRule, { minLength: 8, maxLength: 8 }),
        async (records, rules) => {
          await test.database.query(sql`truncate event cascade`);
          await storeRecords(test.database, records);
          for (const rule of rules) {
            for (const record of records.slice(0, 15)) {
              const request = candidatesRequest(rule, record);
              const compared = records.toSorted(earliestFirst).map((one) => JSON.stringify(one));
              if (request === undefined) {
                // A void rule finds nothing; one that does not narrow is not tried on the whole country.
                const isVoid = candidatesClause(rule, record.declaration) === 'void';
                if (isVoid) expect(await duplicatesAmong(compared, rule, record)).toEqual([]);
                continue;
              }
              narrowed += 1;
              const known = await knownFor(test.database, request.query);
              const context = { now: NOW, timezone: 'UTC', below, terms: TERMS, ...known };
              const { bodies } = await new SearchRepository(test.database).run(
                planOf(compileSearch(request, 'everything', context), UNKNOWN_CARDINALITIES),
              );
              const found = await duplicatesAmong(bodies, rule, record);
              hits += found.length;
              const expected = await duplicatesAmong(compared, rule, record);
              expect({ rule, record, found }).toEqual({ rule, record, found: expected });
            }
          }
        },
      ),
      {
        numRuns: RUNS,
        endOnFailure: true,
        reporter: ({ failed, seed, counterexamplePath, errorInstance }) => {
          if (failed) throw new Error(`seed ${seed}, path ${counterexamplePath ?? ''}`, { cause: errorInstance });
        },
      },
    );

    expect([narrowed > 10 * RUNS, hits > RUNS]).toEqual([true, true]);
  }, 600_000);
});
