import {
  ACTION_STATUSES,
  ACTION_TYPES,
  type DeclarationChange,
  type EventAction,
} from '../../../kernel/domain/event-action.js';
import type { PotentialDuplicate } from '../../../kernel/domain/event-record.js';
import { type Faults, memberPath } from '../../../kernel/errors/faults.js';
import { isLeftOut, isObject } from '../../../kernel/input/checks.js';
import { Members } from '../../../kernel/input/members.js';
import { INSTANT, NAME, oneOf, TEXT, USER_TYPE, UUID } from '../../../kernel/input/readers.js';
import { readDeclarationChange } from './declaration-values.js';
import { parsePotentialDuplicates } from './parse-potential-duplicates.js';

const TYPE = oneOf(ACTION_TYPES);
const STATUS = oneOf(ACTION_STATUSES);

/** An empty list is a fault. */
export function parseEventActions(value: unknown, path: string, faults: Faults): readonly EventAction[] {
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
