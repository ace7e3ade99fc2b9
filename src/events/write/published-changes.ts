import type { EventAction } from '../../kernel/domain/event-action.js';
import type { EventChange } from '../records/event-change.js';
import { ActionHistory } from '../records/project/action-history.js';
import { notifierOf } from '../records/project/project-event.js';
import type { PublishedChange } from './event-publisher.js';

type Actions = Pick<EventChange, 'newActions' | 'knownActions'>;

export function publishedChanges({ record, ...actions }: Pick<EventChange, 'record'> & Actions): PublishedChange[] {
  const notifiedBy = notifierOf(ActionHistory.of([...actions.knownActions, ...actions.newActions]))?.createdBy;
  return publishedActions(actions).map((action) => ({ record, action, notifiedBy }));
}

/** Accepted for the first time, despite repetitions. */
export function publishedActions({ newActions, knownActions }: Actions): readonly EventAction[] {
  const accepted = new Set(knownActions.filter(isAccepted).map(requestOf));
  return newActions.filter((action) => {
    if (!isAccepted(action) || accepted.has(requestOf(action))) return false;
    accepted.add(requestOf(action));
    return true;
  });
}

const isAccepted = ({ status }: EventAction): boolean => status === 'Accepted';

/** The action itself if accepted at once. */
const requestOf = ({ id, originalActionId }: EventAction): string => originalActionId ?? id;
