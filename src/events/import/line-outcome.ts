import type { Issue } from '../../kernel/errors/service-error.js';
import type { UniqueValue, WriteOutcome, WrittenEvent } from '../records/store/write-records.js';

/** What is left of an outcome when it is committed: histories are long. */
export type LineOutcome = Exclude<WriteOutcome, WrittenEvent> | Pick<WrittenEvent, 'kind'>;

export const lineOutcomeOf = (outcome: WriteOutcome | undefined): LineOutcome | undefined =>
  outcome !== undefined && isWritten(outcome) ? { kind: outcome.kind } : outcome;

export const isWritten = (outcome: WriteOutcome): outcome is WrittenEvent =>
  outcome.kind === 'created' || outcome.kind === 'updated';

const CONFLICTS = {
  trackingId: 'trackingId: is that of another event',
  registrationNumber: 'legalStatuses.REGISTERED.registrationNumber: is that of another event',
} as const;

/** The reason that a line is rejected for. */
export const conflictWith = (on: UniqueValue): Issue => ({ message: CONFLICTS[on] });
