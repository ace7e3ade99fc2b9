import { type Declaration, type EventRecord, ownValue, type Somebody } from '../../../kernel/domain/event-record.js';
import { utcDayOf } from '../../../kernel/domain/calendar.js';
import type { ActionType, EventAction } from '../../../kernel/domain/event-action.js';
import {
  type EventConfiguration,
  isConfigured,
  settingsOf,
} from '../../../kernel/domain/event-configuration/event-configuration.js';
import { actionConditionHolds } from '../../../kernel/domain/event-configuration/conditions.js';
import { LIFE_CYCLE } from '../../../kernel/domain/life-cycle/life-cycle.js';
import type { Caller } from '../../../kernel/domain/scopes/caller.js';
import { type Permission, RECORD_PERMISSIONS } from '../../../kernel/domain/scopes/permission.js';
import { parseUuid, type Uuid } from '../../../kernel/domain/uuid.js';
import { INVALID_INPUT, invalidInput } from '../../../kernel/errors/faults.js';
import { absurd, ServiceError } from '../../../kernel/errors/service-error.js';
import { excessOfResult, requireBoundedResult } from '../../records/declaration-size.js';
import { faultsOfAnnotation, faultsOfDeclaration } from '../../records/faults-of-forms.js';
import { excessOf, type HistoryBounds } from '../../records/history-bounds.js';
import {
  ActionHistory,
  annotateBy,
  applyChange,
  type ReplayedFields,
  requestedCorrection,
} from '../../records/replay.js';
import { acceptanceOf } from '../../write/acceptance.js';
import type { CurrentEvent, EventState } from '../../write/command.js';
import type { AskedAction } from './asked-action.js';

/** Any of these reveals that a record exists, and permits to assign it to oneself; permission to create does not. */
export const ANY_RECORD_PERMISSION: readonly Permission[] = RECORD_PERMISSIONS.filter(
  (permission) => permission !== 'record.create',
);

/** The record's declaration, for a correction approval with the requested changes. */
export function declarationBefore(
  { document, record }: Pick<CurrentEvent, 'document' | 'record'>,
  { type, requestId }: Pick<EventAction, 'type' | 'requestId'>,
): Declaration {
  if (LIFE_CYCLE[type].declaration !== 'correction merged') return record.declaration;
  const fields: ReplayedFields = { ...record.declaration };
  for (const change of requestedCorrection(requestId, ActionHistory.of(document.actions))) applyChange(fields, change);
  return fields;
}

/** Throws 409 unless a user is the assignee; for a system client, if anybody is. */
export function requireAssignment(
  { subject, userType }: Somebody,
  type: ActionType,
  { assignedTo }: Pick<EventRecord, 'assignedTo'>,
): void {
  if (FREE.has(type)) return;
  if (userType === 'user' && assignedTo !== subject) {
    throw new ServiceError('CONFLICT', 'You are not assigned to this event');
  }
  if (userType === 'system' && assignedTo !== null) {
    throw new ServiceError('CONFLICT', 'System user can not perform action on assigned event');
  }
}

/** Users assign only themselves, and unassign to nobody; otherwise throws 400. */
export function requireOwnAssignment(
  { subject }: Pick<Caller, 'subject'>,
  { type, assignedTo }: Pick<AskedAction, 'type' | 'assignedTo'>,
): void {
  if (assignedTo === null || (type === 'ASSIGN' && assignedTo === subject)) return;
  const allowed = type === 'ASSIGN' ? 'must be the caller himself' : 'must be null';
  throw invalidInput(`assignedTo: ${allowed}`);
}

const FREE: ReadonlySet<ActionType> = new Set<ActionType>(['READ', 'ASSIGN', 'UNASSIGN']);

/**
 * Throws 409 unless the configured condition holds, for the stored record, the declaration afterwards,
 * the annotations so far, and the caller. A new event is a draft.
 */
export function requireConditions(
  configuration: EventConfiguration,
  eventType: string,
  requested: EventAction,
  event?: CurrentEvent,
): void {
  const condition = settingsOf(configuration.typeOf(eventType), requested)?.condition;
  if (condition === undefined) return;
  const [declaration, annotations] = [declarationAfter(requested, event), annotationsAfter(requested, event)];
  const holds = actionConditionHolds(condition, {
    status: event?.record.status ?? 'CREATED',
    flags: event?.record.flags ?? [],
    valueOf: (id) => ownValue(declaration, id) ?? ownValue(annotations, id),
    role: requested.createdByRole,
    userType: requested.createdByUserType,
    day: utcDayOf(requested.createdAt),
  });
  if (holds) return;
  throw new ServiceError(
    'CONFLICT',
    `Conditions for action: ${requested.type} were not met, action cannot be performed`,
  );
}

function declarationAfter(requested: EventAction, event: CurrentEvent | undefined): Readonly<ReplayedFields> {
  if (event !== undefined) {
    const accepted = acceptanceOf(requested, requested.registrationNumber);
    return event.after([requested, accepted]).projected.record.declaration;
  }
  const fields: ReplayedFields = {};
  applyChange(fields, requested.declaration);
  return fields;
}

function annotationsAfter(requested: EventAction, event: CurrentEvent | undefined): ReplayedFields {
  const fields: ReplayedFields = {};
  const history = ActionHistory.of(event?.document.actions ?? []);
  for (const action of history.actions) annotateBy(fields, action, history);
  applyChange(fields, requested.annotation ?? {});
  return fields;
}

/** Throws 400 for an unknown custom action, and with faults of both forms (E-3, E-17); a new event has no state. */
export function requireForms(
  configuration: EventConfiguration,
  eventType: string,
  asked: AskedAction,
  event?: Pick<CurrentEvent, 'document' | 'record'>,
): void {
  const type = configuration.typeOf(eventType);
  if (!isConfigured(type, asked)) {
    const name = asked.customActionType ?? '';
    throw new ServiceError('BAD_REQUEST', `Custom action configuration not found with name: ${name}`);
  }
  const before = event === undefined ? {} : declarationBefore(event, asked);
  const declared = { action: asked.type, before, change: asked.declaration };
  const issues = [...faultsOfDeclaration(type, declared), ...faultsOfAnnotation(type, asked, asked.annotation)];
  if (issues.length > 0) throw new ServiceError('BAD_REQUEST', INVALID_INPUT, { issues });
}

/** Throws 409 for a `transactionId` used for another request. */
export function requireNewContent(performed: EventState['performed']): void {
  if (performed !== 'otherwise') return;
  throw new ServiceError('CONFLICT', 'This transactionId was used before, with other content');
}

/** The record it is marked as a duplicate of. */
export const namedOther = ({ type, content }: Pick<AskedAction, 'type' | 'content'>): Uuid | undefined =>
  type === 'MARK_AS_DUPLICATE' ? parseUuid(content?.['duplicateOf']) : undefined;

/** Throws 400 if the named duplicate is the record itself, or unknown to the caller. */
export function requireOtherRecord(asked: AskedAction, eventId: Uuid, namesUnknown = false): void {
  if (!namesUnknown && namedOther(asked) !== eventId) return;
  const issues = [{ message: 'content.duplicateOf: must be the id of another record' }];
  throw new ServiceError('BAD_REQUEST', INVALID_INPUT, { issues });
}

/**
 * The latest accepted request, named by its Requested or Accepted action. Throws 404 for others. If an imported record
 * has only the flag, a rejection ends the external request under any id, or nobody could print or revoke the record.
 */
export function requirePendingCorrection({ document, stored }: CurrentEvent, asked: AskedAction): Uuid {
  const { requestId } = asked;
  const ofRequests = document.actions.filter(({ type }) => type === 'REQUEST_CORRECTION');
  const accepted = ofRequests.findLast(({ status }) => status === 'Accepted');
  const isOfImport = accepted === undefined && stored.imported !== undefined;
  if (isOfImport && asked.type === 'REJECT_CORRECTION' && requestId !== null) return requestId;
  if (accepted === undefined || !isNamedBy(accepted, requestId)) {
    throw new ServiceError('NOT_FOUND', `Correction request not found with ID: ${requestId ?? ''}`);
  }
  return accepted.id;
}

const isNamedBy = ({ id, originalActionId }: EventAction, requestId: Uuid | null): boolean =>
  requestId !== null && (requestId === id || requestId === originalActionId);

/** Throws 409 beyond Q-1. */
export function requireRoom(
  { stored }: Pick<CurrentEvent, 'stored'>,
  actions: readonly EventAction[],
  most: HistoryBounds,
): void {
  const excess = excessOf(stored, actions, most);
  if (excess !== undefined) throw new ServiceError('CONFLICT', `The event would have ${excess}`);
}

/** After acceptance of the request and approval of the correction; undefined if none. */
export const excessOnceAccepted = (event: CurrentEvent, requested: EventAction): string | undefined =>
  excessOfResult(declarationOnceAccepted(event, requested), () => event.record.declaration);

/** Throws 400 to the requester, rather than to the later accepter. */
export function requireBoundedOnceAccepted(event: CurrentEvent, requested: EventAction): void {
  requireBoundedResult(declarationOnceAccepted(event, requested), () => event.record.declaration);
}

function declarationOnceAccepted(event: CurrentEvent, requested: EventAction): Declaration {
  const { declaration: effect, form } = LIFE_CYCLE[requested.type];
  switch (effect) {
    case 'unchanged':
      return form === 'correction' ? mergedInto(event, requested) : event.record.declaration;
    case 'merged':
      return mergedInto(event, requested);
    case 'correction merged':
      return event.after([requested, acceptanceOf(requested, null)]).projected.record.declaration;
    default:
      return absurd(effect);
  }
}

function mergedInto({ record }: CurrentEvent, { declaration }: EventAction): Declaration {
  const fields: ReplayedFields = { ...record.declaration };
  applyChange(fields, declaration);
  return fields;
}
