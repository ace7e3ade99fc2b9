import fc from 'fast-check';
import { aReach } from '../../../../test/support/arbitrary-caller.js';
import { aMeetingRequest, aRelevanceRequest } from '../../../../test/support/arbitrary-clause.js';
import { someRecords } from '../../../../test/support/arbitrary-record.js';
import { aRecord } from '../../../../test/support/builders/a-record.js';
import { below } from '../../../../test/support/hierarchy.js';
import { matches } from '../../../../test/support/reference/matches.js';
import { VALUE_CONDITIONS } from '../../../../test/support/values-and-conditions.js';
import { NOW, PEOPLE, RECORD_NUMBERS, TIMEZONES } from '../../../../test/support/vocabulary.js';
import { factsOf } from '../../index/values/facts.js';
import type { Declaration } from '../../../kernel/domain/event-record.js';
import type { ValueCondition } from '../../../kernel/domain/search-request.js';
import { parseSearchRequest } from '../request/parse-search-request.js';
import type { Candidate } from './test-of-value.js';
import { testOfQuery, testOfRowFilter } from './test-of-query.js';

const isWithin = (place: string, area: string): boolean => below(area).some((id) => id === place);

describe('a condition that is tried on a record in the process', () => {
  it('holds for the records that the reference finds', () => {
    let found = 0;
    fc.assert(
      fc.property(
        someRecords(RECORD_NUMBERS.length),
        fc.array(fc.oneof({ arbitrary: aMeetingRequest(), weight: 4 }, aRelevanceRequest()), { minLength: 8 }),
        aReach,
        fc.constantFrom(...TIMEZONES),
        fc.constantFrom(...PEOPLE, null),
        (records, requests, reach, timezone, notifiedBy) => {
          const isSeen = testOfRowFilter(reach);
          for (const { query } of requests) {
            const isMatch = testOfQuery(query, { timezone, isWithin });
            for (const record of records) {
              const facts = factsOf(record.declaration);
              const candidate = { record, facts, notifiedBy: notifiedBy ?? undefined, nowMs: NOW.getTime() };
              const expected = matches(record, query, reach, { now: NOW, timezone, below, notifiedBy });
              if (expected) found += 1;
              if ((isMatch(candidate) && isSeen(candidate)) !== expected) {
                throw new Error(JSON.stringify({ query, reach, record, expected }));
              }
            }
          }
        },
      ),
      { numRuns: 30 },
    );
    expect(found).toBeGreaterThan(300);
  });

  const onValue = (value: Declaration[string], condition: ValueCondition): boolean => {
    const record = aRecord({ declaration: { 'child.note': value } });
    const candidate: Candidate = { record, facts: factsOf(record.declaration), notifiedBy: undefined, nowMs: 0 };
    const members = [{ key: 'child.note', input: condition }];
    const query = { kind: 'expression', conditions: [{ on: 'data', members }] } as const;
    return testOfQuery(query, { timezone: 'UTC', isWithin })(candidate);
  };

  it('holds for a value where the table of S-10 says so', () => {
    const wrong: unknown[] = [];
    for (const [name, { value, yes, no }] of Object.entries(VALUE_CONDITIONS)) {
      const record = aRecord({ declaration: { field: value } });
      const candidate: Candidate = { record, facts: factsOf(record.declaration), notifiedBy: undefined, nowMs: 0 };
      for (const [holds, input] of [...yes.map((one) => [true, one]), ...no.map((one) => [false, one])] as const) {
        const { query } = parseSearchRequest({ query: { clauses: [{ data: { field: input } }] } }, { maxLimit: 0 });
        const tried = testOfQuery(query, { timezone: 'UTC', isWithin })(candidate);
        if (tried !== holds) wrong.push({ name, input, holds });
      }
    }
    expect(wrong).toEqual([]);
  });

  it('compares texts by code point, as the database does', () => {
    const between = (gte: string, lte: string): ValueCondition => ({ type: 'range', gte, lte });
    expect(onValue('\u{10000}', between('\uffee', '\u{10ffff}'))).toBe(true);
    expect(onValue('\uffee', between('\u{10000}', '\u{10ffff}'))).toBe(false);
    expect(onValue('ab', between('a', 'ab'))).toBe(true);
    expect(onValue('ab', between('abc', 'b'))).toBe(false);
  });

  it('finds no word that no dictionary has', () => {
    const fuzzy = (term: string): ValueCondition => ({ type: 'fuzzy', term });
    const long = '김'.repeat(300);
    expect(onValue('김'.repeat(10), fuzzy('김'.repeat(10)))).toBe(true);
    expect(onValue(long, fuzzy(long))).toBe(false);
    expect(onValue('words', fuzzy('-'))).toBe(false);
  });
});
