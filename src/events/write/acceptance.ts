import type { EventAction } from '../../kernel/domain/event-action.js';
import { derivedUuid, type Uuid } from '../../kernel/domain/uuid.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { EventChange } from '../records/event-change.js';

/** A Requested action to be posted to the country configuration. */
export interface OutgoingAction {
  readonly eventId: Uuid;
  readonly action: EventAction;
  /** The originating request's (G-5). */
  readonly correlationId?: string | undefined;
}

/** Answered from any source, or deleted with its event. */
export interface SettledAction {
  /** The Requested action's. */
  readonly actionId: Uuid;
  readonly status: 'Accepted' | 'Rejected' | 'Deleted';
}

/** Written in the same transaction. The provider is global and optional. */
export abstract class Outgoing {
  /** Called once per transaction. */
  abstract write(transaction: Queryable, actions: readonly OutgoingAction[]): Promise<void>;

  /** Called once per transaction: these requests wait no more. */
  abstract settle(transaction: Queryable, actions: readonly SettledAction[]): Promise<void>;

  /** Called after the commit: posts are due. */
  abstract announce(): void;

  /** Called after the commit: wakes waiters of settled requests. */
  abstract announceSettled(): void;
}

/** Derived from the request's id: equal answers are one. */
export const answerIdOf = ({ id }: Pick<EventAction, 'id'>, answer: 'accepted' | 'rejected'): Uuid =>
  derivedUuid(id, answer);

/** Applies the request. */
export const acceptanceOf = (requested: EventAction, registrationNumber: string | null): EventAction => ({
  ...requested,
  id: answerIdOf(requested, 'accepted'),
  status: 'Accepted',
  declaration: {},
  annotation: null,
  originalActionId: requested.id,
  registrationNumber,
});

/** Earlier requests alone: immediate acceptances never waited. */
export function settledActions({
  knownActions,
  newActions,
}: Pick<EventChange, 'knownActions' | 'newActions'>): readonly SettledAction[] {
  const known = new Set(knownActions.map(({ id }) => id));
  return newActions.flatMap(({ status, originalActionId }) =>
    status !== 'Requested' && originalActionId !== null && known.has(originalActionId)
      ? [{ actionId: originalActionId, status }]
      : [],
  );
}
