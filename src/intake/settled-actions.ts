import type { EventAction } from '../domain/record/event-action.js';
import type { SettledAction } from './writer/outgoing.js';

/** What has been added to an event. */
interface WrittenActions {
  readonly newActions: readonly EventAction[];
  readonly knownActions: readonly EventAction[];
}

/** The requests from before that are answered now: what is accepted at once never waited for anybody. */
export function settledActions({ knownActions, newActions }: WrittenActions): readonly SettledAction[] {
  const known = new Set(knownActions.map(({ id }) => id));
  return newActions.flatMap(({ status, originalActionId }) =>
    status !== 'Requested' && originalActionId !== null && known.has(originalActionId)
      ? [{ actionId: originalActionId, status }]
      : [],
  );
}
