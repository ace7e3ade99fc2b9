import type { EventAction } from '../../kernel/domain/event-action.js';
import { derivedUuid, type Uuid } from '../../kernel/domain/uuid.js';
import type { EventChange } from '../records/event-change.js';
import type { SettledAction } from './outgoing.js';

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
