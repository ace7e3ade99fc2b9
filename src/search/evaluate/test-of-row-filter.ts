import type { RowFilter } from '../../access/caller.js';
import type { ScopeOptions } from '../../domain/scope.js';
import { isUnreachable } from '../predicate/row-filter.js';
import type { CandidateTest } from './candidate.js';
import { everyOf, someOf } from './candidate.js';
import { testOfFlags } from './test-of-flags.js';
import { testOfText } from './test-of-query.js';

/**
 * The records that the scopes admit: scopes are ORed, the options inside one ANDed; `predicateOfRowFilter`
 * without SQL.
 */
export const testOfRowFilter = (rowFilter: RowFilter, subject: string): CandidateTest =>
  rowFilter === 'everything' ? () => true : someOf(rowFilter.map((options) => testOfOptions(options, subject)));

function testOfOptions(options: ScopeOptions, subject: string): CandidateTest {
  const tests: CandidateTest[] = [];
  if (options.event !== undefined) tests.push(testOfText('eventType', options.event));
  if (options.status !== undefined) tests.push(testOfText('status', options.status));
  if (options.flags !== undefined) tests.push(testOfFlags(options.flags));
  if (isUnreachable(options)) tests.push(() => false);
  if (options.declaredBy !== undefined) {
    tests.push(({ record }) => record.legalStatuses.DECLARED?.createdBy === subject);
  }
  if (options.registeredBy !== undefined) {
    tests.push(({ record }) => record.legalStatuses.REGISTERED?.createdBy === subject);
  }
  if (options.notifiedBy !== undefined) tests.push(({ notifiedBy }) => notifiedBy === subject);
  return everyOf(tests);
}
