import type { Caller } from '../../../kernel/domain/scopes/caller.js';
import { actorOf } from '../../../platform/audit/audit-entry.js';
import type { EventAction, EventDocument } from '../../../kernel/domain/event-action.js';
import type { Instant } from '../../../kernel/domain/calendar.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import { eventNotFound } from '../../search/record-access.js';
import { acceptanceOf } from '../../write/acceptance.js';
import type { Decision, EventState } from '../../write/command.js';
import type { AskedAction } from './asked-action.js';
import { type Acted, auditOf, type Rules } from './decide-action.js';
import { eventViewFor, viewOf } from './event-view.js';
import { type Author, newAction } from './new-action.js';
import { requireConditions, requireForms, requireNewContent } from './requirements.js';

export interface Creation {
  readonly caller: Caller;
  readonly eventId: Uuid;
  readonly type: string;
  readonly transactionId: string;
  readonly place: Uuid | null;
  /** Notified at once (E-4); undefined for a draft. */
  readonly notification: AskedAction | undefined;
  readonly isAwaited: boolean;
}

/** A repetition returns the event, if still known to the caller. */
export function decideCreation(
  { access, configuration }: Rules,
  creation: Creation,
): (state: EventState) => Decision<Acted> {
  const { caller, eventId, notification } = creation;
  return ({ event, performed, now, trackingId }) => {
    if (event !== undefined) {
      if (!access.covers(caller, ['record.create'], () => event.projected)) throw eventNotFound(eventId);
      requireNewContent(performed === 'before' ? 'before' : 'otherwise');
      const requested = event.document.actions.find(({ type }) => type === 'NOTIFY');
      return { answer: { view: viewOf(access, caller, event), requested } };
    }
    if (notification !== undefined) requireForms(configuration, creation.type, notification);
    if (trackingId === undefined) throw new Error('a new event needs a tracking id');
    const document = newEvent(creation, now, trackingId);
    for (const action of document.actions.filter(isAsked)) requireConditions(configuration, creation.type, action);
    const requested = document.actions.find(({ type }) => type === 'NOTIFY');
    return {
      answer: { view: eventViewFor({ caller, mayRead: true }, document), requested },
      change: { kind: 'create', document },
      ...(creation.isAwaited && requested !== undefined && { outgoing: [requested] }),
      ...(notification === undefined
        ? creationAudit(creation, trackingId)
        : auditOf(caller, { document }, notification)),
    };
  };
}

/** Excludes acceptances. */
const isAsked = ({ type, originalActionId }: EventAction): boolean => type !== 'ASSIGN' && originalActionId === null;

/** Assigned to a user who creates it. */
export function newEvent(creation: Creation, now: Instant, trackingId: string): EventDocument {
  const { caller, eventId, type, transactionId, place, notification } = creation;
  const author: Author = { caller, place, transactionId, now };
  const actions: EventAction[] = [newAction('CREATE', author)];
  if (notification !== undefined) actions.push(...notified(creation, notification, author));
  else if (caller.userType === 'user') actions.push(newAction('ASSIGN', author, { assignedTo: caller.subject }));
  return { id: eventId, type, trackingId, createdAt: now, updatedAt: now, actions };
}

function notified({ isAwaited }: Creation, asked: AskedAction, author: Author): readonly EventAction[] {
  const { declaration, annotation } = asked;
  const requested = newAction('NOTIFY', author, { status: 'Requested', declaration, annotation });
  return isAwaited ? [requested] : [requested, acceptanceOf(requested, null)];
}

const creationAudit = (
  { caller, eventId, type, transactionId, place }: Creation,
  trackingId: string,
): Pick<Decision<Acted>, 'audit'> =>
  caller.userType === 'system'
    ? {
        audit: {
          ...actorOf(caller),
          operation: 'event.create',
          requestData: { transactionId, type, createdAtLocation: place },
          responseSummary: { eventId, trackingId },
        },
      }
    : {};
