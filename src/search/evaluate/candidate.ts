import type { Facts } from '../../derived/values/facts.js';
import type { EventRecord } from '../../domain/event-record.js';

/** A record that conditions are tried on in the process, as the change leaves it. */
export interface Candidate {
  readonly record: EventRecord;
  /** Of its declaration. */
  readonly facts: Facts;
  /** Who notified it, which scopes ask for; undefined when nobody did. */
  readonly notifiedBy: string | undefined;
  /** The time of the transaction. */
  readonly nowMs: number;
}

/** Whether a candidate is a match: what the same condition's SQL says of its stored row. */
export type CandidateTest = (candidate: Candidate) => boolean;

/** What a test depends on beside its condition and the candidate. */
export interface TestContext {
  /** IANA name of the zone in which a calendar date is read (S-8). */
  readonly timezone: string;
  /** Whether the place is the area or lies below it in the hierarchy as it stands; false for unknown ones (S-9). */
  readonly isWithin: (place: string, area: string) => boolean;
}

/** All of the tests hold. */
export const everyOf = (tests: readonly CandidateTest[]): CandidateTest => {
  const [only] = tests;
  return only !== undefined && tests.length === 1 ? only : (candidate) => tests.every((test) => test(candidate));
};

/** One of the tests holds. */
export const someOf = (tests: readonly CandidateTest[]): CandidateTest => {
  const [only] = tests;
  return only !== undefined && tests.length === 1 ? only : (candidate) => tests.some((test) => test(candidate));
};
