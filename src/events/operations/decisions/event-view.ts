import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../../kernel/domain/scopes/caller.js';
import { isBy, type Somebody } from '../../../kernel/domain/author.js';
import type { EventAction, EventDocument } from '../../../kernel/domain/event-action.js';
import { eventDocumentView } from '../../records/event-document-view.js';
import type { RecordAccess } from '../../search/record-access.js';
import type { CurrentEvent } from '../../write/current-event.js';

/** An event as an answer carries it. */
export type EventView = Readonly<Record<string, unknown>>;

/** Who is answered: with `mayRead`, everything; otherwise of other people's actions not what they declared (E-13). */
export interface Reader {
  readonly caller: Somebody;
  readonly mayRead: boolean;
}

/** An event for a caller: whether he may read all of it is asked of the record as it then is. */
export const viewOf = (
  access: Pick<RecordAccess, 'covers'>,
  caller: Caller,
  event: Pick<CurrentEvent, 'document' | 'projected'>,
): EventView =>
  eventViewFor({ caller, mayRead: access.covers(caller, ['record.read'], () => event.projected) }, event.document);

/** The event document for a caller. */
export function eventViewFor({ caller, mayRead }: Reader, document: EventDocument): EventView {
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

/** Of what others have done. */
const NOTHING_SAID = { declaration: {}, annotation: null, content: null, duplicates: [] } as const;

/**
 * An answer of the caller, or in his name: what the country configuration adds to an acceptance is not his, and why it
 * rejects is for him. An answer repeats the content of the request, unless it has its own (`confirmedActions`).
 */
function answerTo(request: EventAction, answer: EventAction, caller: Somebody): EventAction {
  if (!isBy(request, caller))
    return isDeepStrictEqual(request.content, answer.content) ? { ...answer, content: null } : answer;
  const isOfCountry = answer.transactionId === request.transactionId && answer.status === 'Accepted';
  return isOfCountry ? { ...answer, declaration: {}, annotation: null } : answer;
}
