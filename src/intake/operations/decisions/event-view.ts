import type { Caller } from '../../../access/caller.js';
import { isBy } from '../../../domain/record/author.js';
import type { EventAction, EventDocument } from '../../../domain/record/event-action.js';
import { eventDocumentView } from '../../../records/event-document-view.js';

/** An event as an answer carries it. */
export type EventView = Readonly<Record<string, unknown>>;

/** Who is answered: with `mayRead`, everything; otherwise of other people's actions not what they declared (E-13). */
export interface Reader {
  readonly caller: Pick<Caller, 'subject' | 'userType'>;
  readonly mayRead: boolean;
}

/** The event document for a caller. */
export const eventViewFor = ({ caller, mayRead }: Reader, document: EventDocument): EventView =>
  eventDocumentView(
    mayRead ? document : { ...document, actions: document.actions.map((action) => forStranger(action, caller)) },
  );

const forStranger = (action: EventAction, { subject, userType }: Reader['caller']): EventAction =>
  isBy(action, subject, userType)
    ? action
    : { ...action, declaration: {}, annotation: null, content: null, duplicates: [] };
