import type { Facts } from '../../index/values/facts.js';
import type { EventRecord } from '../../../kernel/domain/event-record.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import type { Guard } from '../request/guard.js';

/** A record after the change, on which the process evaluates conditions. */
export interface Candidate {
  readonly record: EventRecord;
  readonly facts: Facts;
  /** Scopes ask for it; undefined if nobody did. */
  readonly notifiedBy: string | undefined;
  /** Only scopes of users ask for it. */
  readonly notifiedIn?: Uuid | null | undefined;
  /** The time of the transaction. */
  readonly nowMs: number;
}

/** Agrees with the SQL of the same condition. */
export type CandidateTest = (candidate: Candidate) => boolean;

export interface TestContext {
  /** IANA name; calendar dates are read in it (S-8). */
  readonly timezone: string;
  /** Also true for the area itself; false for unknown places (S-9). */
  readonly isWithin: (place: string, area: string) => boolean;
  /** E-10. */
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
