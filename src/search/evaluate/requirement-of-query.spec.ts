import { createHash } from 'node:crypto';

import fc from 'fast-check';

import { aReach } from '../../../test/support/arbitrary-caller.js';
import { aMeetingRequest, aRelevanceRequest } from '../../../test/support/arbitrary-clause.js';
import { someRecords } from '../../../test/support/arbitrary-record.js';
import { aRecord } from '../../../test/support/builders/a-record.js';
import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { below } from '../../../test/support/hierarchy.js';
import { NOW, PEOPLE, PLACES, RECORD_NUMBERS } from '../../../test/support/vocabulary.js';
import type { RowFilter } from '../../access/caller.js';
import { factsOf } from '../../derived/values/facts.js';
import type { Declaration } from '../../domain/record/declaration.js';
import type { DataInput, Query } from '../../domain/search-request.js';
import type { Uuid } from '../../domain/uuid.js';
import type { Candidate } from './candidate.js';
import { marksOfCandidate } from './marks-of-candidate.js';
import { eachRequired } from './requirement.js';
import { RequirementIndex } from './requirement-index.js';
import { requirementOfQuery, requirementOfRowFilter } from './requirement-of-query.js';
import { testOfQuery } from './test-of-query.js';
import { testOfRowFilter } from './test-of-row-filter.js';

const ROOM = 1_000_000;
const isWithin = (place: string, area: string): boolean => below(area).some((id) => id === place);
const around = (place: string): readonly string[] => PLACES.filter((area) => isWithin(place, area));

interface Filter {
  readonly query: Query;
  readonly reach: RowFilter;
}

/** The filters that a record may concern: those found by marks, and those without a known requirement. */
class Filters {
  private readonly index = new RequirementIndex();
  private readonly rest: Uuid[] = [];

  constructor(filters: readonly Filter[]) {
    filters.forEach(({ query, reach }, at) => {
      const requirement = eachRequired([requirementOfQuery(query), requirementOfRowFilter(reach)]);
      const isFiled = requirement !== undefined && this.index.add(aUuid(at), requirement, ROOM);
      if (!isFiled) this.rest.push(aUuid(at));
    });
  }

  candidates(candidate: Candidate): ReadonlySet<Uuid> {
    const found = new Set(this.rest);
    const isAsked = (aspect: number): boolean => this.index.isAsked(aspect);
    for (const mark of marksOfCandidate(candidate, { isAsked, around })) this.index.collect(mark, found);
    return found;
  }
}

/** Eight letters. */
const aName = (number: number): string =>
  createHash('sha256')
    .update(String(number))
    .digest('hex')
    .slice(0, 8)
    .replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '');

const onField = (input: DataInput): Filter => ({
  query: {
    kind: 'and',
    clauses: [{ kind: 'expression', conditions: [{ on: 'data', members: [{ key: 'child.name', input }] }] }],
  },
  reach: 'everything',
});

const candidateOf = (declaration: Declaration): Candidate => {
  const record = aRecord({ declaration });
  return { record, facts: factsOf(declaration), notifiedBy: undefined, nowMs: 0 };
};

describe('what a filter requires of a record', () => {
  it('is borne by every record that meets it', () => {
    let met = 0;
    let tried = 0;
    let all = 0;
    fc.assert(
      fc.property(
        someRecords(RECORD_NUMBERS.length),
        fc.array(fc.oneof({ arbitrary: aMeetingRequest(), weight: 2 }, aRelevanceRequest()), { minLength: 20 }),
        fc.array(aReach, { minLength: 1 }),
        fc.constantFrom(...PEOPLE, undefined),
        (records, requests, reaches, notifiedBy) => {
          const filters = requests.map(({ query }, at) => {
            const reach = reaches[at % reaches.length] ?? 'everything';
            return { query, reach };
          });
          const index = new Filters(filters);
          for (const record of records) {
            const candidate = { record, facts: factsOf(record.declaration), notifiedBy, nowMs: NOW.getTime() };
            const found = index.candidates(candidate);
            filters.forEach((filter, at) => {
              const isMet =
                testOfQuery(filter.query, { timezone: 'UTC', isWithin })(candidate) &&
                testOfRowFilter(filter.reach)(candidate);
              all += 1;
              if (found.has(aUuid(at))) tried += 1;
              if (isMet) met += 1;
              if (isMet && !found.has(aUuid(at))) throw new Error(JSON.stringify({ filter, record }));
            });
          }
        },
      ),
      { numRuns: 20 },
    );
    expect(met).toBeGreaterThan(100);
    expect(tried).toBeLessThan(all / 2);
  });

  it.each(['exact', 'fuzzy'] as const)('finds a few of 2,000 %s names, and few for another field', (type) => {
    const names = Array.from({ length: 2_000 }, (_, at) => aName(at));
    const filters = new Filters(names.map((term) => onField({ type, term })));
    const name = { firstname: 'Ana', surname: aName(7) };
    const found = filters.candidates(candidateOf({ 'child.name': name }));
    expect(found).toContain(aUuid(7));
    expect(found.size).toBeLessThan(10);
    // Marks are hashes, and those of near words differ from process to process: a few records are checked in vain.
    expect(filters.candidates(candidateOf({ 'mother.name': name })).size).toBeLessThan(10);
  });

  it('leaves none of those that ask for what cannot be', () => {
    const filters = [onField({ type: 'fuzzy', term: '-' }), onField({ type: 'anyOf', terms: [] })];
    expect(new Filters(filters).candidates(candidateOf({ 'child.name': '-' })).size).toBe(0);
  });

  it('cannot be told of a range', () => {
    const filters = [onField({ type: 'range', gte: 'a', lte: 'b' })];
    expect(new Filters(filters).candidates(candidateOf({}))).toEqual(new Set([aUuid(0)]));
  });
});
