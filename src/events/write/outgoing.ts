import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { EventAction } from '../../kernel/domain/event-action.js';
import type { Uuid } from '../../kernel/domain/uuid.js';

/** An action that was stored as Requested and is to be posted to the country configuration. */
export interface OutgoingAction {
  readonly eventId: Uuid;
  readonly action: EventAction;
  /** Of the request that asked for it (G-5). */
  readonly correlationId?: string | undefined;
}

/**
 * A request that is answered, by the country configuration, by a system client, by the trigger feed or by an import, or
 * that is deleted with its event.
 */
export interface SettledAction {
  /** Of the Requested action. */
  readonly actionId: Uuid;
  readonly status: 'Accepted' | 'Rejected' | 'Deleted';
}

/**
 * What follows from written actions outside of the database: rows of an outbox, in the same transaction. Its provider
 * is global and may be absent.
 */
export abstract class Outgoing {
  /** Writes what is to be posted, once for all actions of a transaction. */
  abstract write(transaction: Queryable, actions: readonly OutgoingAction[]): Promise<void>;

  /** Notes that requests which may have been posted wait no more, once for all of a transaction. */
  abstract settle(transaction: Queryable, actions: readonly SettledAction[]): Promise<void>;

  /** To be called after the commit: something is due. */
  abstract announce(): void;

  /** To be called after the commit: somebody may wait for what is settled. */
  abstract announceSettled(): void;
}
