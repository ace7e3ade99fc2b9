import { randomUUID } from 'node:crypto';
import type { Instant } from '../../../kernel/domain/calendar.js';
import type { EventAction, EventDocument } from '../../../kernel/domain/event-action.js';
import { refusalOf } from '../../../kernel/domain/life-cycle/available-actions.js';
import { LIFE_CYCLE } from '../../../kernel/domain/life-cycle/life-cycle.js';
import type { Caller } from '../../../kernel/domain/scopes/caller.js';
import type { Permission } from '../../../kernel/domain/scopes/permission.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import { ServiceError } from '../../../kernel/errors/service-error.js';
import { actorOf } from '../../../platform/audit/audit-entry.js';
import { BOUNDS_OF_ENDINGS, boundsFor, excessOf } from '../../records/history-bounds.js';
import { eventNotFound } from '../../search/stored-access.js';
import { acceptanceOf } from '../../write/acceptance.js';
import type { Decision, EventState } from '../../write/command.js';
import { type AskedAction, type Author, newAction } from './asked-action.js';
import { type Act, type Acted, auditOf, type Rules } from './decide-action.js';
import { type EventView, eventViewFor, viewOf } from './event-view.js';
import {
  ANY_RECORD_PERMISSION,
  requireAssignment,
  requireConditions,
  requireForms,
  requireNewContent,
  requireRoom,
} from './requirements.js';

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

/** Beyond it, or in a full event, reads are only audited: readers must not grow an event endlessly. */
const MOST_READS = 1_000;

interface Reading {
  readonly permissions: readonly Permission[];
  /** `mayRead`: by `record.read`. */
  readonly shown: (document: EventDocument, mayRead: boolean) => EventDocument;
}

const READING: Reading = { permissions: ['record.read'], shown: (document) => document };

/** Reading appends READ (E-6). */
export const decideReading =
  ({ access }: Pick<Rules, 'access'>, caller: Caller, eventId: Uuid, { permissions, shown }: Reading = READING) =>
  ({ event, now }: EventState): Decision<EventView> => {
    if (event === undefined || !access.covers(caller, permissions, () => event.projected)) throw eventNotFound(eventId);
    const mayRead = access.covers(caller, ['record.read'], () => event.projected);
    const { type, trackingId, actions } = event.document;
    const reads = actions.filter((action) => action.type === 'READ').length;
    const place = caller.office ?? null;
    const read = newAction('READ', { caller, place, transactionId: randomUUID(), now });
    const added = reads < MOST_READS && excessOf(event.stored, [read]) === undefined ? [read] : [];
    const isNoted = caller.userType === 'system' || added.length === 0;
    return {
      answer: eventViewFor({ caller, mayRead: true }, shown(event.after(added).document, mayRead)),
      ...(added.length > 0 && { change: { kind: 'append', actions: added } }),
      ...(isNoted && {
        audit: {
          ...actorOf(caller),
          operation: 'event.get',
          requestData: { eventId },
          responseSummary: { eventType: type, trackingId },
        },
      }),
    };
  };

/**
 * ASSIGN takes an unassigned event; UNASSIGN gives it back, for others with `record.unassign-others`. No change adds no
 * action.
 */
export function decideAssignment(
  { access }: Pick<Rules, 'access'>,
  { caller, eventId, asked, place }: Act,
): (state: EventState) => Decision<Acted> {
  return ({ event, performed, now }) => {
    if (event === undefined || !access.covers(caller, ANY_RECORD_PERMISSION, () => event.projected)) {
      throw eventNotFound(eventId);
    }
    requireNewContent(performed);
    const { assignedTo } = event.record;
    const isSo = assignedTo === (asked.type === 'ASSIGN' ? caller.subject : null);
    if (performed === 'before' || isSo) {
      return { answer: { view: viewOf(access, caller, event), requested: undefined } };
    }
    if (asked.type === 'ASSIGN' && assignedTo !== null) {
      throw new ServiceError('CONFLICT', 'Event is already assigned to another user');
    }
    const isOthers = asked.type === 'UNASSIGN' && assignedTo !== caller.subject;
    if (isOthers && !access.covers(caller, ['record.unassign-others'], () => event.projected)) {
      throw new ServiceError('FORBIDDEN', 'The event is assigned to another user');
    }
    const to = asked.type === 'ASSIGN' ? { assignedTo: caller.subject } : {};
    const action = newAction(asked.type, { caller, place, transactionId: asked.transactionId, now }, to);
    requireRoom(event, [action], asked.type === 'UNASSIGN' ? BOUNDS_OF_ENDINGS : boundsFor(caller.userType));
    return {
      answer: { view: viewOf(access, caller, event.after([action])), requested: undefined },
      change: { kind: 'append', actions: [action] },
    };
  };
}

/** Deletes a draft completely; the audit row stays, also for users (E-4). */
export const decideDeletion =
  ({ access }: Pick<Rules, 'access'>, caller: Caller, eventId: Uuid) =>
  ({ event }: EventState): Decision<{ readonly id: Uuid }> => {
    if (event === undefined || !access.covers(caller, LIFE_CYCLE.DELETE.permissions, () => event.projected)) {
      throw eventNotFound(eventId);
    }
    requireAssignment(caller, 'DELETE', event.record);
    const refusal = refusalOf('DELETE', event.record);
    if (refusal !== undefined) throw new ServiceError('CONFLICT', refusal);
    const { type, trackingId } = event.document;
    return {
      answer: { id: eventId },
      change: { kind: 'delete' },
      audit: {
        ...actorOf(caller),
        operation: 'event.actions.delete.request',
        requestData: { eventId, actionType: 'DELETE', eventType: type, trackingId },
        responseSummary: null,
      },
    };
  };
