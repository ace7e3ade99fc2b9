import type { EventChange } from '../records/event-change.js';
import type { SettledAction } from './outgoing.js';

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
