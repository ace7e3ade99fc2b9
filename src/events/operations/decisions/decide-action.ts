import { isDeepStrictEqual } from 'node:util';
import type { ActionType, EventAction } from '../../../kernel/domain/event-action.js';
import type { EventConfiguration } from '../../../kernel/domain/event-configuration/event-configuration.js';
import {
  type Declaration,
  type EventRecord,
  isBy,
  type PotentialDuplicate,
} from '../../../kernel/domain/event-record.js';
import { refusalOf } from '../../../kernel/domain/life-cycle/available-actions.js';
import { LIFE_CYCLE } from '../../../kernel/domain/life-cycle/life-cycle.js';
import { type Caller, mayDo } from '../../../kernel/domain/scopes/caller.js';
import type { Permission } from '../../../kernel/domain/scopes/permission.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import { ServiceError } from '../../../kernel/errors/service-error.js';
import { actorOf, type AuditEntry } from '../../../platform/audit/audit-entry.js';
import { boundsFor } from '../../records/history-bounds.js';
import { eventNotFound, type RecordAccess } from '../../search/stored-access.js';
import { acceptanceOf } from '../../write/acceptance.js';
import type { CurrentEvent, Decision, EventState } from '../../write/command.js';
import { type AskedAction, type Author, newAction } from './asked-action.js';
import { type EventView, viewOf } from './event-view.js';
import {
  ANY_RECORD_PERMISSION,
  requireAssignment,
  requireBoundedOnceAccepted,
  requireConditions,
  requireForms,
  requireNewContent,
  requireOtherRecord,
  requirePendingCorrection,
  requireRoom,
} from './requirements.js';

/** Searched before the event was locked. */
export interface SearchedDuplicates {
  readonly declaration: Declaration;
  readonly found: readonly PotentialDuplicate[];
}

/**
 * Requests a search outside of the transaction, so that no lock waits for it. The decision then runs again and verifies
 * the declaration.
 */
export class DuplicatesWanted extends Error {
  /** The record after the action; `isSettled`: marked as no duplicate, so that no search is needed. */
  constructor(
    readonly record: EventRecord,
    readonly isSettled: boolean,
  ) {
    super('duplicates have to be searched for');
  }
}

/** Actions that need a search for duplicates (E-9). */
const searchesDuplicates = (type: ActionType): boolean => type === 'DECLARE' || type === 'REGISTER';

/** None if marked as no duplicate with the same declaration (E-16). Throws `DuplicatesWanted`. */
export function requireDuplicates(
  event: CurrentEvent,
  after: EventRecord,
  searched: SearchedDuplicates | undefined,
): readonly PotentialDuplicate[] {
  const isNone = isSettled(event, after);
  // Without duplicates the action may need more, so that a result with some is requested anew.
  const isStillSo = searched !== undefined && !(isNone && searched.found.length > 0);
  if (isStillSo && isDeepStrictEqual(searched.declaration, after.declaration)) return searched.found;
  throw new DuplicatesWanted(after, isNone);
}

function isSettled(event: CurrentEvent, { declaration }: EventRecord): boolean {
  const marked = event.document.actions.findLastIndex(
    ({ type, status }) => type === 'MARK_AS_NOT_DUPLICATE' && status === 'Accepted',
  );
  const then = marked < 0 ? undefined : event.recordAfter(marked + 1);
  return then !== undefined && isDeepStrictEqual(then.declaration, declaration);
}

export interface Act {
  readonly caller: Caller;
  readonly eventId: Uuid;
  readonly asked: AskedAction;
  readonly place: Uuid | null;
  /** Otherwise accepted at once (E-7). */
  readonly isAwaited: boolean;
  /** Whether it names a missing record, or one the caller may not know. */
  readonly namesUnknown?: boolean;
  /** Undefined before the search. */
  readonly duplicates?: SearchedDuplicates | undefined;
}

export interface Rules {
  readonly access: Pick<RecordAccess, 'covers'>;
  readonly configuration: EventConfiguration;
}

export interface Acted {
  readonly view: EventView;
  readonly requested: EventAction | undefined;
}

/**
 * In the order of E-11: 404 without access; a repetition returns the event (E-12); 400 for form faults; 409 for
 * assignment, then state (E-2).
 */
export function decideAction({ access, configuration }: Rules, act: Act): (state: EventState) => Decision<Acted> {
  const { caller, eventId, asked, place } = act;
  const permissions = permissionsOf(asked.type);
  const intent = { customActionType: asked.customActionType ?? undefined, template: templateOf(asked) };
  return ({ event, performed, now, registrationNumber }) => {
    if (event === undefined) throw eventNotFound(eventId);
    if (!access.covers(caller, permissions, () => event.projected, intent)) {
      const isNamed = permissions.some((permission) => mayDo(caller, permission, intent));
      const isReader = !isNamed && access.covers(caller, ['record.read'], () => event.projected);
      throw isReader ? notNamed(permissions) : eventNotFound(eventId);
    }
    const answerWith = (actions: readonly EventAction[], requested: EventAction | undefined): Acted => ({
      view: viewOf(access, caller, event.after(actions)),
      requested,
    });
    requireNewContent(performed);
    if (performed === 'before') return { answer: answerWith([], requestOf(event, act)) };
    requireForms(configuration, event.document.type, asked, event);
    requireOtherRecord(asked, eventId, act.namesUnknown);
    requireAssignment(caller, asked.type, event.record);
    const refusal = refusalOf(asked.type, event.record, asked.customActionType);
    if (refusal !== undefined) throw new ServiceError('CONFLICT', refusal);
    const author: Author = { caller, place, transactionId: asked.transactionId, now };
    const requested = requestedAction(act, event, author);
    requireBoundedOnceAccepted(event, requested);
    requireConditions(configuration, event.document.type, requested, event);
    const duplicates = duplicatesOf(act, event, requested);
    if (duplicates.length > 0 && asked.type === 'REGISTER') {
      const detected = newAction('DUPLICATE_DETECTED', author, { duplicates });
      requireRoom(event, [detected], boundsFor(caller.userType));
      return {
        answer: answerWith([detected], undefined),
        change: { kind: 'append', actions: [detected] },
        ...auditOf(caller, event, asked),
      };
    }
    const isConfirmed = LIFE_CYCLE[asked.type].isConfirmed;
    const acted = !isConfirmed
      ? [{ ...requested, status: 'Accepted' as const }]
      : act.isAwaited
        ? [requested]
        : [requested, acceptanceOf(requested, registrationNumber ?? null)];
    const detected = duplicates.length === 0 ? [] : [newAction('DUPLICATE_DETECTED', author, { duplicates })];
    const actions = [...acted, ...detected, ...unassignment(act, author)];
    requireRoom(event, actions, boundsFor(caller.userType));
    return {
      answer: answerWith(actions, acted[0]),
      change: { kind: 'append', actions },
      ...(act.isAwaited && isConfirmed && { outgoing: [requested] }),
      ...auditOf(caller, event, asked),
    };
  };
}

/** Potential duplicates of the event after the action (E-9). */
function duplicatesOf(
  { asked, duplicates }: Act,
  event: CurrentEvent,
  requested: EventAction,
): readonly PotentialDuplicate[] {
  if (!searchesDuplicates(asked.type)) return [];
  // Declared data counts once requested, whoever confirms it.
  const accepted = acceptanceOf(requested, requested.registrationNumber ?? '-');
  return requireDuplicates(event, event.after([requested, accepted]).projected.record, duplicates);
}

/** Any one must cover the record. */
const permissionsOf = (type: ActionType): readonly Permission[] => {
  const { permissions } = LIFE_CYCLE[type];
  return permissions.length > 0 ? permissions : ANY_RECORD_PERMISSION;
};

/** For callers who may read the record, and so learn nothing new (E-11). */
const notNamed = (permissions: readonly Permission[]): ServiceError =>
  new ServiceError('FORBIDDEN', 'Insufficient access', {
    issues: [{ message: `authorization: no scope for ${permissions.join(' or ')} names what is asked for` }],
  });

const templateOf = ({ type, content }: AskedAction): string | undefined => {
  const template = type === 'PRINT_CERTIFICATE' ? content?.['templateId'] : undefined;
  return typeof template === 'string' ? template : undefined;
};

function requestedAction({ asked }: Act, event: CurrentEvent, author: Author): EventAction {
  const { type, declaration, annotation, content, customActionType } = asked;
  const requestId =
    LIFE_CYCLE[type].onlyWith === 'correction-requested' ? requirePendingCorrection(event, asked) : null;
  return newAction(type, author, {
    status: 'Requested',
    declaration,
    annotation,
    content,
    customActionType,
    requestId,
  });
}

/** Users give the event back afterwards, unless they keep it (E-14). */
function unassignment({ caller, asked, isAwaited }: Act, author: Author): readonly EventAction[] {
  const keeps = asked.keepAssignment || (!isAwaited && asked.keepAssignmentIfAccepted);
  return caller.userType === 'system' || keeps ? [] : [newAction('UNASSIGN', author)];
}

/** Result of an earlier identical request. */
const requestOf = ({ document }: CurrentEvent, { caller, asked }: Act): EventAction | undefined =>
  document.actions.find(
    (action) =>
      isBy(action, caller) &&
      action.transactionId === asked.transactionId &&
      action.type === asked.type &&
      action.customActionType === asked.customActionType &&
      action.originalActionId === null,
  );

/** For system clients (I-2): users' actions document themselves. */
export function auditOf(
  caller: Caller,
  { document: { id, type, trackingId } }: Pick<CurrentEvent, 'document'>,
  { type: actionType, transactionId }: Pick<AskedAction, 'type' | 'transactionId'>,
): { readonly audit?: AuditEntry } {
  if (caller.userType !== 'system') return {};
  const audit: AuditEntry = {
    ...actorOf(caller),
    operation: `event.actions.${actionType.toLowerCase() as Lowercase<ActionType>}.request`,
    requestData: { eventId: id, actionType, eventType: type, trackingId, transactionId },
    responseSummary: null,
  };
  return { audit };
}
