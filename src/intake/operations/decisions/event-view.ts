import type { Caller } from '../../../access/caller.js';
import { isBy } from '../../../domain/record/author.js';
import type { EventAction, EventDocument } from '../../../domain/record/event-action.js';
import { eventDocumentView } from '../../../records/event-document-view.js';
import type { RecordAccess } from '../../../search/record-access.js';
import type { CurrentEvent } from '../../writer/current-event.js';

/** An event as an answer carries it. */
export type EventView = Readonly<Record<string, unknown>>;

/** Who is answered: with `mayRead`, everything; otherwise of other people's actions not what they declared (E-13). */
export interface Reader {
  readonly caller: Pick<Caller, 'subject' | 'userType'>;
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
export const eventViewFor = ({ caller, mayRead }: Reader, document: EventDocument): EventView =>
  eventDocumentView(
    mayRead ? document : { ...document, actions: document.actions.map((action) => forStranger(action, caller)) },
  );

const forStranger = (action: EventAction, { subject, userType }: Reader['caller']): EventAction =>
  isBy(action, subject, userType)
    ? action
    : { ...action, declaration: {}, annotation: null, content: null, duplicates: [] };
