import type { EventAction } from '../../kernel/domain/event-action.js';
import type { EventChange } from '../records/event-change.js';
import { ActionHistory } from '../records/project/action-history.js';
import { notifierOf } from '../records/project/project-event.js';
import type { PublishedChange } from '../../webhooks/delivery/published-change.js';

type Actions = Pick<EventChange, 'newActions' | 'knownActions'>;

/** What to publish of a written event. */
export function publishedChanges({ record, ...actions }: Pick<EventChange, 'record'> & Actions): PublishedChange[] {
  const notifiedBy = notifierOf(ActionHistory.of([...actions.knownActions, ...actions.newActions]))?.createdBy;
  return publishedActions(actions).map((action) => ({ record, action, notifiedBy }));
}

/**
 * Each action that was accepted for the first time. A request is accepted once, whoever reports it first and however
 * often it is repeated.
 */
export function publishedActions({ newActions, knownActions }: Actions): readonly EventAction[] {
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
