import type { EventAction } from '../domain/record/event-action.js';
import type { EventRecord } from '../domain/record/event-record.js';
import { ActionHistory } from '../records/project/action-history.js';
import { notifierOf } from '../records/project/project-event.js';
import type { PublishedChange } from '../webhooks/delivery/publisher.js';

/** The result of writing one event. */
export interface WrittenEvent {
  readonly record: EventRecord;
  readonly newActions: readonly EventAction[];
  /** The actions that were known before. */
  readonly knownActions: readonly EventAction[];
}

/**
 * What to publish of a written event: each action that was accepted for the first time. A request is accepted once,
 * whoever reports it first and however often it is repeated.
 */
export function publishedChanges({ record, newActions, knownActions }: WrittenEvent): PublishedChange[] {
  const notifiedBy = notifierOf(ActionHistory.of([...knownActions, ...newActions]))?.createdBy;
  const accepted = new Set(knownActions.filter(isAccepted).map(requestOf));
  return newActions.filter(isAccepted).flatMap((action) => {
    const request = requestOf(action);
    if (accepted.has(request)) return [];
    accepted.add(request);
    return [{ record, action, notifiedBy }];
  });
}

const isAccepted = ({ status }: EventAction): boolean => status === 'Accepted';

/** The requested action: the one that this one accepts, or itself if it was accepted at once. */
const requestOf = ({ id, originalActionId }: EventAction): string => originalActionId ?? id;
