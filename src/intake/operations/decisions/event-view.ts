import { isDeepStrictEqual } from 'node:util';

import type { Caller } from '../../../access/caller.js';
import type { Somebody } from '../../../domain/record/author.js';
import { isBy } from '../../../domain/record/author.js';
import type { EventAction, EventDocument } from '../../../domain/record/event-action.js';
import { eventDocumentView } from '../../../records/event-document-view.js';
import type { RecordAccess } from '../../../search/record-access.js';
import type { CurrentEvent } from '../../writer/current-event.js';

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
  const others = new Map(actions.filter((action) => !isBy(action, caller)).map((action) => [action.id, action]));
  const shown = actions.map((action) =>
    others.has(action.id)
      ? { ...action, declaration: {}, annotation: null, content: null, duplicates: [] }
      : withoutContentOf(others.get(action.originalActionId ?? action.id), action),
  );
  return eventDocumentView({ ...document, actions: shown });
}

/** An answer repeats the content of the request that it answers, unless it has its own (`confirmedActions`). */
const withoutContentOf = (request: EventAction | undefined, answer: EventAction): EventAction =>
  request !== undefined && isDeepStrictEqual(request.content, answer.content) ? { ...answer, content: null } : answer;
