import type { Facts } from '../../index/values/facts.js';
import type { EventRecord } from '../../../kernel/domain/event-record.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import type { Guard } from '../request/guard.js';

/** A record on which conditions are evaluated in the process, in its state after the change. */
export interface Candidate {
  readonly record: EventRecord;
  /** The facts of its declaration. */
  readonly facts: Facts;
  /** Who notified it, which scopes ask for; undefined if nobody did. */
  readonly notifiedBy: string | undefined;
  /** Where it was notified; only scopes of users ask for it. */
  readonly notifiedIn?: Uuid | null | undefined;
  /** The time of the transaction. */
  readonly nowMs: number;
}

/** Whether a candidate matches: agrees with the SQL of the same condition on its stored row. */
export type CandidateTest = (candidate: Candidate) => boolean;

/** What a test depends on, apart from its condition and the candidate. */
export interface TestContext {
  /** IANA name of the zone in which a calendar date is read (S-8). */
  readonly timezone: string;
  /** Whether the place is the area or lies below it in the current hierarchy; false for unknown ones (S-9). */
  readonly isWithin: (place: string, area: string) => boolean;
  /** What the caller must not learn of records that he may not read, and whether he may read one (E-10). */
  readonly guarded?: { readonly guard: Guard; readonly isRead: CandidateTest } | undefined;
}

/** True if all tests are. */
export const everyOf = (tests: readonly CandidateTest[]): CandidateTest => {
  const [only] = tests;
  return only !== undefined && tests.length === 1 ? only : (candidate) => tests.every((test) => test(candidate));
};

/** True if one of the tests is. */
export const someOf = (tests: readonly CandidateTest[]): CandidateTest => {
  const [only] = tests;
  return only !== undefined && tests.length === 1 ? only : (candidate) => tests.some((test) => test(candidate));
};
