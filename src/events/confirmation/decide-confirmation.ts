import { hidingFlagsFor } from '../../auth/access/covers.js';
import { isBy } from '../../kernel/domain/event-record.js';
import type { Instant } from '../../kernel/domain/calendar.js';
import type { ActionType, EventAction } from '../../kernel/domain/event-action.js';
import { topicsOfAction } from '../../kernel/domain/life-cycle/topic.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { derivedUuid } from '../../kernel/domain/uuid.js';
import { invalidInput } from '../../kernel/errors/faults.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { actorOf, type AuditEntry } from '../../platform/audit/audit-entry.js';
import type { Rules } from '../operations/decisions/decide-action.js';
import { type EventView, viewOf } from '../operations/decisions/event-view.js';
import { requireNewContent, requireRoom } from '../operations/decisions/requirements.js';
import { BOUNDS_OF_ENDINGS } from '../records/history-bounds.js';
import { eventNotFound } from '../search/stored-access.js';
import type { CurrentEvent, Decision, EventState } from '../write/command.js';
import type { AskedConfirmation } from './asked-confirmation.js';
import {
  confirmedActions,
  requireConfirmedForm,
  standingOf,
  takenSince,
  type Verdict,
  whyGoneOn,
} from './confirm-action.js';

/**
 * The request that an imported record has only the flag of, where the type of action is named: `register:requested`,
 * and nothing here that waits. Rejecting it ends what was requested elsewhere, as nobody could do anything else with the
 * record; what was requested is not known, so that nobody can accept it.
 */
function unknownRequest(
  { document, record, stored }: CurrentEvent,
  { verb, type, actionId, transactionId }: AskedConfirmation,
  subject: string,
  now: Instant,
): EventAction | undefined {
  if (verb === 'accept' || type === undefined || stored.imported === undefined) return undefined;
  if (!record.flags.includes(`${type.toLowerCase()}:requested`)) return undefined;
  const { actions } = document;
  const isKnown = (id: string): boolean => standingOf(actions, id).kind === 'pending';
  if (actions.some((action) => action.id === actionId || (action.type === type && isKnown(action.id))))
    return undefined;
  return {
    ...{ id: actionId ?? derivedUuid(document.id, `${type} ${subject} ${transactionId}`), transactionId, type },
    ...{ status: 'Requested', createdAt: now, createdBy: subject, createdByUserType: 'system', createdByRole: null },
    ...{ createdAtLocation: null, declaration: {}, annotation: null, originalActionId: null, assignedTo: null },
    ...{ registrationNumber: null, requestId: null, duplicates: [], customActionType: null, content: null },
  };
}

/**
 * Thrown by an acceptance of which only the event says what it needs: the files that its notifications enclose (W-13),
 * and a number for a registration that brings none. It is decided again with them, and with the type of its action.
 */
export class NeedsMore extends Error {
  constructor(readonly type: ActionType) {
    super(`the acceptance of ${type} needs more`);
  }
}

/** The permission to accept or to reject. */
export const PERMISSIONS = { accept: 'record.action.accept', reject: 'record.action.reject' } as const;

/**
 * Decides on an acceptance or a rejection by a system client (E-8, E-14), in the order of E-11. Repeating
 * one is answered with the event as it is, and changes nothing.
 */
export function decideConfirmation(
  { access, configuration }: Rules,
  caller: Caller,
  asked: AskedConfirmation,
): (state: EventState) => Decision<EventView> {
  return ({ event, performed, now, registrationNumber: made }) => {
    const permission = PERMISSIONS[asked.verb];
    if (event === undefined || isHidden(caller, permission, event)) throw eventNotFound(asked.eventId);
    if (!access.covers(caller, [permission], () => event.projected)) throw notCovered(permission);
    const { actions } = event.document;
    const answerWith = (added: readonly EventAction[]): EventView => viewOf(access, caller, event.after(added));
    requireNewContent(performed);
    if (performed === 'before') {
      requireSameAction(actions, asked, caller);
      return { answer: answerWith([]) };
    }
    const requested = unknownRequest(event, asked, caller.subject, now) ?? pendingAction(actions, asked);
    if (requested === 'done before') return { answer: answerWith([]) };
    if (takenSince(actions, requested) !== undefined) throw conflict('User is assigned to this event');
    const goneOn = asked.verb === 'accept' ? whyGoneOn(event, requested) : undefined;
    if (goneOn !== undefined) throw conflict(goneOn);
    if (asked.verb === 'accept') requireConfirmedForm(configuration, event, requested, asked.declaration);
    if (asked.verb === 'accept' && asked.type === undefined && topicsOfAction(requested.type).length > 0) {
      throw new NeedsMore(requested.type);
    }
    const verdict = verdictOf(asked, requested, made);
    const by = {
      transactionId: asked.transactionId,
      createdBy: caller.subject,
      createdByUserType: caller.userType,
      createdByRole: null,
      createdAtLocation: asked.createdAtLocation,
    };
    const added = confirmedActions(event, requested, { by, now, verdict });
    requireRoom(event, added, BOUNDS_OF_ENDINGS);
    return {
      answer: answerWith(added),
      change: { kind: 'append', actions: added },
      audit: auditOf(caller, event, asked, requested),
    };
  };
}

/** The request that waits; `done before` if it has exactly this outcome already. Throws 404 and 400. */
function pendingAction(
  actions: readonly EventAction[],
  { verb, actionId, type }: AskedConfirmation,
): EventAction | 'done before' {
  const id = actionId ?? actions.findLast((action) => action.type === type && action.status === 'Requested')?.id;
  const standing = standingOf(actions, id ?? '');
  if (standing.kind === 'unknown') throw new ServiceError('NOT_FOUND', 'Action not found.');
  const { action } = standing;
  if (type !== undefined && action.type !== type) {
    throw badRequest(`Action ${action.id} is of type ${action.type}, cannot be confirmed as ${type}.`);
  }
  switch (standing.kind) {
    case 'not awaiting':
      throw badRequest(`Action ${action.id} is not awaiting confirmation.`);
    case 'accepted':
      if (verb === 'reject') throw badRequest('Action has already been accepted.');
      return 'done before';
    case 'rejected':
      if (verb === 'accept') throw badRequest('Action has already been rejected.');
      return 'done before';
    case 'pending':
      return action;
  }
}

/**
 * Throws 409 for a repetition that names another action than the operation was about: both spellings of its path share
 * a `transactionId`, and each names the action in its own way (E-8).
 */
function requireSameAction(actions: readonly EventAction[], asked: AskedConfirmation, caller: Caller): void {
  const { verb, actionId, type, transactionId } = asked;
  const answer = actions.find(
    (action) =>
      isBy(action, caller) &&
      action.transactionId === transactionId &&
      action.originalActionId !== null &&
      action.status === (verb === 'accept' ? 'Accepted' : 'Rejected'),
  );
  const isSame =
    answer === undefined
      ? pendingAction(actions, asked) === 'done before'
      : (actionId ?? answer.originalActionId) === answer.originalActionId && (type ?? answer.type) === answer.type;
  if (!isSame) requireNewContent('otherwise');
}

function verdictOf(
  { verb, declaration, annotation, content, registrationNumber, keepsAssignment }: AskedConfirmation,
  { type }: EventAction,
  made: string | undefined,
): Verdict {
  if (verb === 'reject') {
    return { status: 'Rejected', declaration: {}, annotation, ...(content && { content }), keepsAssignment };
  }
  if (type !== 'REGISTER') {
    if (registrationNumber === undefined) return { status: 'Accepted', declaration, annotation, keepsAssignment };
    throw invalidInput('registrationNumber: is given to a REGISTER alone');
  }
  const number = registrationNumber ?? made;
  if (number === undefined) throw new NeedsMore(type);
  return { status: 'Accepted', declaration, annotation, registrationNumber: number, keepsAssignment };
}

/** Every confirmation is that of a system client (I-2). */
const auditOf = (
  caller: Caller,
  { document: { id, type: eventType, trackingId } }: Pick<CurrentEvent, 'document'>,
  { verb, transactionId }: AskedConfirmation,
  { id: actionId, type: actionType }: EventAction,
): AuditEntry => ({
  ...actorOf(caller),
  operation: `event.actions.${actionType.toLowerCase() as Lowercase<ActionType>}.${verb}`,
  requestData: { eventId: id, actionId, actionType, eventType, trackingId, transactionId },
  responseSummary: null,
});

/** A sealed record does not exist for a caller whose scopes exclude it, whatever else they say (E-10). */
function isHidden(caller: Caller, permission: ConfirmationPermission, event: CurrentEvent): boolean {
  const hiding = hidingFlagsFor(caller, permission);
  return hiding.length > 0 && hiding.some((flag) => event.record.flags.includes(flag));
}

type ConfirmationPermission = (typeof PERMISSIONS)[keyof typeof PERMISSIONS];

/** Scopes for confirmations restrict by type of event alone, and say so (E-14). */
const notCovered = (permission: ConfirmationPermission): ServiceError =>
  new ServiceError('FORBIDDEN', 'Insufficient access', {
    issues: [{ message: `authorization: no scope for ${permission} covers the event` }],
  });

const badRequest = (message: string): ServiceError => new ServiceError('BAD_REQUEST', message);
const conflict = (message: string): ServiceError => new ServiceError('CONFLICT', message);
