import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../../kernel/domain/scopes/caller.js';
import { isBy, type Somebody } from '../../../kernel/domain/event-record.js';
import type { EventAction, EventDocument } from '../../../kernel/domain/event-action.js';
import { eventDocumentView } from '../../records/history-bounds.js';
import type { RecordAccess } from '../../search/stored-access.js';
import type { CurrentEvent } from '../../write/command.js';

export type EventView = Readonly<Record<string, unknown>>;

/** Checks access against the record as it now is. */
export const viewOf = (
  access: Pick<RecordAccess, 'covers'>,
  caller: Caller,
  event: Pick<CurrentEvent, 'document' | 'projected'>,
): EventView =>
  eventViewFor({ caller, mayRead: access.covers(caller, ['record.read'], () => event.projected) }, event.document);

/** Without `mayRead`, other people's actions lack their declaration (E-13). */
export function eventViewFor(
  { caller, mayRead }: { readonly caller: Somebody; readonly mayRead: boolean },
  document: EventDocument,
): EventView {
  if (mayRead) return eventDocumentView(document);
  const { actions } = document;
  const requests = new Map(actions.map((action) => [action.id, action]));
  const shown = actions.map((action) => {
    if (!isBy(action, caller)) return { ...action, ...NOTHING_SAID };
    const request = action.originalActionId === null ? undefined : requests.get(action.originalActionId);
    return request === undefined ? action : answerTo(request, action, caller);
  });
  return eventDocumentView({ ...document, actions: shown });
}

/** For actions of others. */
const NOTHING_SAID = { declaration: {}, annotation: null, content: null, duplicates: [] } as const;

/**
 * An answer by or for the caller: additions of the country configuration are not theirs, but its reason for rejection
 * is. Without own content (`confirmedActions`), it repeats the request's.
 */
function answerTo(request: EventAction, answer: EventAction, caller: Somebody): EventAction {
  if (!isBy(request, caller))
    return isDeepStrictEqual(request.content, answer.content) ? { ...answer, content: null } : answer;
  const isOfCountry = answer.transactionId === request.transactionId && answer.status === 'Accepted';
  return isOfCountry ? { ...answer, declaration: {}, annotation: null } : answer;
}
