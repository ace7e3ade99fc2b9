import type { AuditEntry } from '../../platform/audit/audit-entry.js';
import type { Instant } from '../../kernel/domain/calendar.js';
import type { ActionType, EventAction, EventDocument } from '../../kernel/domain/event-action.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import type { UniqueValue } from '../records/store/write-records.js';
import type { FilesByPath } from '../../webhooks/context/context-input.js';
import type { CurrentEvent } from './current-event.js';

/** What makes an operation the same as an earlier one (E-12). */
export interface OperationKey {
  /** SHA-256 of caller, operation and `transactionId`. */
  readonly key: Buffer;
  /** SHA-256 of what is asked for. */
  readonly content: Buffer;
}

/** What a decision may rest on, besides the command itself. */
export interface EventState {
  /** The event, locked until the end of the transaction; undefined if there is none. */
  readonly event: CurrentEvent | undefined;
  /** Whether the same operation was performed before, or one with the same key and another content. */
  readonly performed: 'not yet' | 'before' | 'otherwise';
  /** The time of new actions: never before the last action of the event, whatever the clocks of processes say. */
  readonly now: Instant;
  /** Free ones; undefined unless the command needs one. */
  readonly trackingId: string | undefined;
  readonly registrationNumber: string | undefined;
}

/** What becomes of a command: an answer, and what is written in the same transaction. */
export interface Decision<T> {
  readonly answer: T;
  readonly change?: EventWrite;
  readonly audit?: AuditEntry;
  /** The new ones among the actions that are to be posted to the country configuration (E-15): see `Outgoing`. */
  readonly outgoing?: readonly EventAction[];
}

/** What is written of an event. */
export type EventWrite =
  | { readonly kind: 'create'; readonly document: EventDocument }
  | { readonly kind: 'append'; readonly actions: readonly EventAction[] }
  /** A document from outside: actions that are known are left out. */
  | { readonly kind: 'merge'; readonly document: EventDocument }
  | { readonly kind: 'delete' };

/** One operation on one event. */
export interface Command<T> {
  /** In whose turn it is done: the `sub` of the caller. */
  readonly client: string;
  readonly eventId: Uuid;
  /** Undefined for what may be repeated: each time it does the same again. */
  readonly key?: OperationKey;
  /** Roughly how much memory it holds while it waits, in bytes. */
  readonly size: number;
  /** The actions that it does, if they may be published: their notifications enclose files (W-13). */
  readonly publishes?: readonly ActionType[] | undefined;
  /** Those files; the writer reads them before the command waits. */
  readonly files?: FilesByPath;
  readonly needs?: 'trackingId' | 'registrationNumber';
  /** Of the request that it follows from (G-5); absent: of the one that submits it. */
  readonly correlationId?: string | undefined;
  /**
   * Decides, from nothing but the state, what becomes of it; it may be asked again. Throws the `ServiceError` that is
   * this caller's answer.
   */
  readonly decide: (state: EventState) => Decision<T>;
  /** The answer if another event has a value that must be unique; by default a 409 that names it. */
  readonly whenTaken?: (value: UniqueValue) => Error;
}
