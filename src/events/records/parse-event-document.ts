import type { Instant } from '../../kernel/domain/calendar.js';
import {
  ACTION_STATUSES,
  ACTION_TYPES,
  type DeclarationChange,
  type EventAction,
  type EventDocument,
} from '../../kernel/domain/event-action.js';
import type { PotentialDuplicate } from '../../kernel/domain/event-record.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Faults, memberPath } from '../../kernel/errors/faults.js';
import { BoundedFaults } from '../../kernel/input/input.js';
import { isLeftOut, isObject } from '../../kernel/input/checks.js';
import {
  INSTANT,
  Members,
  NAME,
  oneOf,
  outcomeOf,
  type Parsed,
  TEXT,
  USER_TYPE,
  UUID,
} from '../../kernel/input/readers.js';
import { checkNames, readDeclarationChange } from './declaration-values.js';
import { parsePotentialDuplicates } from './parse-fields.js';

const TYPE = oneOf(ACTION_TYPES);
const STATUS = oneOf(ACTION_STATUSES);

/** An empty list is a fault. */
function parseEventActions(value: unknown, path: string, faults: Faults): readonly EventAction[] {
  if (!Array.isArray(value) || value.length === 0) {
    faults.add(path, 'must be a list of at least one action');
    return [];
  }
  return [...eventActionsIn(value, path, faults)];
}

/** One by one: a list may have thousands. */
export function* eventActionsIn(list: readonly unknown[], path: string, faults: Faults): Generator<EventAction> {
  for (const [at, item] of list.entries()) {
    const action = parseEventAction(item, memberPath(path, at), faults);
    if (action !== undefined) yield action;
  }
}

/** Upstream's format; unknown keys are ignored, since upstream may be newer. Undefined for a non-object. */
function parseEventAction(value: unknown, path: string, faults: Faults): EventAction | undefined {
  const members = Members.of(value, path, faults);
  if (members === undefined) return undefined;
  const id = members.required('id', UUID);
  const type = members.required('type', TYPE);
  return {
    id,
    transactionId: members.nullable('transactionId', NAME) ?? id,
    type,
    status: members.required('status', STATUS),
    createdAt: members.required('createdAt', INSTANT),
    createdBy: members.required('createdBy', NAME),
    createdByUserType: members.nullable('createdByUserType', USER_TYPE),
    createdByRole: members.nullable('createdByRole', TEXT),
    createdAtLocation: members.nullable('createdAtLocation', UUID),
    declaration: members.parsed('declaration', changeOrNull) ?? {},
    annotation: members.parsed('annotation', changeOrNull),
    originalActionId: members.nullable('originalActionId', UUID),
    assignedTo: type === 'ASSIGN' ? members.required('assignedTo', NAME) : null,
    registrationNumber: members.nullable('registrationNumber', NAME),
    requestId: members.nullable('requestId', UUID),
    duplicates: type === 'DUPLICATE_DETECTED' ? members.parsed('content', duplicatesOf) : [],
    customActionType: members.nullable('customActionType', NAME),
    content: members.parsed('content', changeOrNull),
  };
}

const changeOrNull = (value: unknown, path: string, faults: Faults): DeclarationChange | null =>
  isLeftOut(value) ? null : readDeclarationChange(value, path, faults);

const duplicatesOf = (content: unknown, path: string, faults: Faults): readonly PotentialDuplicate[] =>
  parsePotentialDuplicates(
    isObject(content) ? content['duplicates'] : undefined,
    memberPath(path, 'duplicates'),
    faults,
    'ignored',
  );

/**
 * `{id, type, trackingId, actions}` with at least one action (R-2, R-3). `createdAt` and `updatedAt` default to the
 * actions' first and last time. Unknown keys are ignored.
 */
export function parseEventDocument(value: unknown): Parsed<EventDocument> {
  const faults = new BoundedFaults();
  const members = Members.of(value, '', faults);
  if (members === undefined) return { kind: 'faulty', issues: faults.issues };
  const actions = members.parsed('actions', parseHistory);
  const times = actions.map((action) => action.createdAt).toSorted();
  const document: EventDocument = {
    id: members.required('id', UUID),
    type: members.required('type', NAME),
    trackingId: members.required('trackingId', NAME),
    createdAt: members.nullable('createdAt', INSTANT) ?? (times[0] as Instant),
    updatedAt: members.nullable('updatedAt', INSTANT) ?? (times.at(-1) as Instant),
    actions,
  };
  return outcomeOf(document, faults);
}

function parseHistory(value: unknown, path: string, faults: Faults): readonly EventAction[] {
  const actions = parseEventActions(value, path, faults);
  actions.forEach(({ declaration }, at) => {
    checkNames(declaration, memberPath(memberPath(path, at), 'declaration'), faults);
  });
  if (faults.none) checkTogether(actions, path, faults);
  return actions;
}

/** Ids are unique, and an accepted registration has its number. */
function checkTogether(actions: readonly EventAction[], path: string, faults: Faults): void {
  const seen = new Map<Uuid, EventAction>();
  actions.forEach((action, at) => {
    if (seen.has(action.id)) faults.add(memberPath(memberPath(path, at), 'id'), 'is that of an earlier action');
    seen.set(action.id, action);
  });
  actions.forEach((action, at) => {
    if (action.type !== 'REGISTER' || action.status !== 'Accepted' || action.registrationNumber !== null) return;
    const original = action.originalActionId === null ? undefined : seen.get(action.originalActionId);
    if (original === undefined || original.registrationNumber === null) {
      faults.add(
        memberPath(memberPath(path, at), 'registrationNumber'),
        `is required of an accepted REGISTER and ${NAME.expected}`,
      );
    }
  });
}
