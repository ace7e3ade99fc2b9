import type { RecordOptions, RowFilter } from '../../../kernel/domain/scopes/caller.js';
import { isBy, type Somebody } from '../../../kernel/domain/author.js';
import type { LegalStatus } from '../../../kernel/domain/event-record.js';
import type { PlaceOption } from '../../../kernel/domain/scopes/scope.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import { isUnreachable, placesOf } from '../predicate/row-filter.js';
import { type Candidate, type CandidateTest, everyOf, someOf } from './candidate.js';
import { testOfFlags } from './test-of-flags.js';
import { testOfText } from './test-of-query.js';

/** `predicateOfRowFilter` without SQL. */
export const testOfRowFilter = (rowFilter: RowFilter): CandidateTest =>
  rowFilter === 'everything' ? () => true : someOf(rowFilter.map(testOfOptions));

function testOfOptions(options: RecordOptions): CandidateTest {
  const tests: CandidateTest[] = [];
  const { id } = options;
  if (id !== undefined) tests.push(({ record }) => record.id === id);
  if (options.event !== undefined) tests.push(testOfText('eventType', options.event));
  if (options.status !== undefined) tests.push(testOfText('status', options.status));
  if (options.flags !== undefined) tests.push(testOfFlags(options.flags));
  if (isUnreachable(options)) tests.push(() => false);
  for (const [option, ids] of placesOf(options)) {
    tests.push((candidate) => {
      const place = PLACES[option](candidate);
      // For one record, a set of thousands of places would cost more.
      return place !== null && place !== undefined && ids.includes(place);
    });
  }
  const { declaredBy, registeredBy, notifiedBy } = options;
  if (declaredBy !== undefined) tests.push(({ record }) => isOf(record.legalStatuses.DECLARED, declaredBy));
  if (registeredBy !== undefined) tests.push(({ record }) => isOf(record.legalStatuses.REGISTERED, registeredBy));
  if (notifiedBy !== undefined) tests.push((candidate) => candidate.notifiedBy === notifiedBy.subject);
  return everyOf(tests);
}

const isOf = (status: LegalStatus | null, author: Somebody): boolean => status !== null && isBy(status, author);

const PLACES: Readonly<Record<PlaceOption, (candidate: Candidate) => Uuid | null | undefined>> = {
  placeOfEvent: ({ record }) => record.placeOfEvent,
  declaredIn: ({ record }) => record.legalStatuses.DECLARED?.createdAtLocation,
  registeredIn: ({ record }) => record.legalStatuses.REGISTERED?.createdAtLocation,
  notifiedIn: ({ notifiedIn }) => notifiedIn,
};
