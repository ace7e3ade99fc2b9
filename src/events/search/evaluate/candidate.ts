import type { Facts } from '../../index/values/facts.js';
import type { EventRecord } from '../../../kernel/domain/event-record.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import type { Guard } from '../request/guard.js';

/** A record on which conditions are evaluated in the process, in its state after the change. */
export interface Candidate {
  readonly record: EventRecord;
  readonly facts: Facts;
  /** Scopes ask for it; undefined if nobody notified the record. */
  readonly notifiedBy: string | undefined;
  /** Only scopes of users ask for it. */
  readonly notifiedIn?: Uuid | null | undefined;
  /** The time of the transaction. */
  readonly nowMs: number;
}

/** Agrees with the SQL of the same condition on the stored row. */
export type CandidateTest = (candidate: Candidate) => boolean;

export interface TestContext {
  /** IANA name of the zone in which a calendar date is read (S-8). */
  readonly timezone: string;
  /** Whether the place is the area or lies below it in the current hierarchy; false for unknown ones (S-9). */
  readonly isWithin: (place: string, area: string) => boolean;
  /** What is hidden from the caller on records without read permission, and whether one may be read (E-10). */
  readonly guarded?: { readonly guard: Guard; readonly isRead: CandidateTest } | undefined;
}

export const everyOf = (tests: readonly CandidateTest[]): CandidateTest => {
  const [only] = tests;
  return only !== undefined && tests.length === 1 ? only : (candidate) => tests.every((test) => test(candidate));
};

export const someOf = (tests: readonly CandidateTest[]): CandidateTest => {
  const [only] = tests;
  return only !== undefined && tests.length === 1 ? only : (candidate) => tests.some((test) => test(candidate));
};
