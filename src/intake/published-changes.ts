import type { EventAction } from '../domain/record/event-action.js';
import type { EventRecord } from '../domain/record/event-record.js';
import { ActionHistory } from '../records/project/action-history.js';
import { notifierOf } from '../records/project/project-event.js';
import type { PublishedChange } from '../webhooks/delivery/published-change.js';

/** The result of writing one event. */
export interface WrittenEvent {
  readonly record: EventRecord;
  readonly newActions: readonly EventAction[];
  /** The actions that were known before. */
  readonly knownActions: readonly EventAction[];
}

/** What to publish of a written event. */
export function publishedChanges({ record, newActions, knownActions }: WrittenEvent): PublishedChange[] {
  const notifiedBy = notifierOf(ActionHistory.of([...knownActions, ...newActions]))?.createdBy;
  return publishedActions({ newActions, knownActions }).map((action) => ({ record, action, notifiedBy }));
}

/**
 * Each action that was accepted for the first time. A request is accepted once, whoever reports it first and however
 * often it is repeated.
 */
export function publishedActions({ newActions, knownActions }: Omit<WrittenEvent, 'record'>): readonly EventAction[] {
  const accepted = new Set(knownActions.filter(isAccepted).map(requestOf));
  return newActions.filter((action) => {
    if (!isAccepted(action) || accepted.has(requestOf(action))) return false;
    accepted.add(requestOf(action));
    return true;
  });
}

const isAccepted = ({ status }: EventAction): boolean => status === 'Accepted';

/** The requested action: the one that this one accepts, or itself if it was accepted at once. */
const requestOf = ({ id, originalActionId }: EventAction): string => originalActionId ?? id;
