import type { Instant } from '../../../kernel/domain/calendar.js';
import type { ActionType, DeclarationChange, EventAction } from '../../../kernel/domain/event-action.js';
import type { Caller } from '../../../kernel/domain/scopes/caller.js';
import { isWellFormedText, WELL_FORMED_TEXT } from '../../../kernel/domain/text.js';
import { lowerUuid, newUuid, parseUuid, type Uuid } from '../../../kernel/domain/uuid.js';
import { Faults, memberPath } from '../../../kernel/errors/faults.js';
import { BoundedFaults } from '../../../kernel/input/input.js';
import { isLeftOut, isObject, isTextWithin } from '../../../kernel/input/checks.js';
import { requireUuid } from '../../../kernel/input/readers.js';
import { checkSize } from '../../records/declaration-size.js';
import { readDeclarationChange, readDeclared } from '../../records/declaration-values.js';
import type { ActionDto, ActionMembersDto } from './action.dto.js';

type Kind = 'text' | 'boolean' | 'uuid';

interface Member {
  readonly kind: Kind;
  readonly isRequired?: true;
}

type Members = Readonly<Record<string, Member>>;

const REASON: Members = { reason: { kind: 'text' } };
const NEEDS_REASON: Members = { reason: { kind: 'text', isRequired: true } };

/** Permitted `content` by action; custom actions permit anything, others nothing. */
const CONTENT: Readonly<Partial<Record<ActionType, Members>>> = {
  EDIT: { comment: { kind: 'text' } },
  REJECT: NEEDS_REASON,
  ARCHIVE: NEEDS_REASON,
  UNARCHIVE: REASON,
  REJECT_CORRECTION: NEEDS_REASON,
  APPROVE_CORRECTION: { immediateCorrection: { kind: 'boolean' } },
  REQUEST_CORRECTION: { immediateCorrection: { kind: 'boolean' } },
  PRINT_CERTIFICATE: { templateId: { kind: 'text' } },
  MARK_AS_DUPLICATE: { duplicateOf: { kind: 'uuid' } },
  REVOKE_REGISTRATION: REASON,
  REINSTATE_REGISTRATION: REASON,
  DEACTIVATE_REGISTRATION: REASON,
  REACTIVATE_REGISTRATION: REASON,
};

const LONGEST = 10_000;

/** Null if there is none. */
export function readContent(
  type: ActionType,
  value: unknown,
  faults: Faults,
): Readonly<Record<string, unknown>> | null {
  if (type === 'CUSTOM') return isLeftOut(value) ? null : readDeclarationChange(value, PATH, faults);
  const members = CONTENT[type] ?? {};
  if (value !== undefined && !isObject(value)) {
    faults.add(PATH, 'must be an object');
    return null;
  }
  const given = value ?? {};
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(members, key)) continue;
    const known = Object.keys(members);
    faults.add(memberPath(PATH, key), `is not a known key${known.length > 0 ? `; allowed: ${known.join(', ')}` : ''}`);
  }
  for (const [key, member] of Object.entries(members)) checkMember(key, member, given[key], faults);
  return value === undefined ? null : withNormalIds(given, members);
}

/** Stored ids are in lower case. */
const withNormalIds = (given: Readonly<Record<string, unknown>>, members: Members): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, members[key]?.kind === 'uuid' ? parseUuid(value) : value]),
  );

const PATH = 'content';

function checkMember(key: string, { kind, isRequired }: Member, value: unknown, faults: Faults): void {
  const path = memberPath(PATH, key);
  if (value === undefined) {
    if (isRequired) faults.add(path, `is required and ${EXPECTED[kind]}`);
  } else if (typeof value === 'string' && !isWellFormedText(value)) {
    faults.add(path, WELL_FORMED_TEXT);
  } else if (!IS[kind](value)) {
    faults.add(path, EXPECTED[kind]);
  }
}

const IS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => isTextWithin(value, LONGEST),
  boolean: (value) => typeof value === 'boolean',
  uuid: (value) => parseUuid(value) !== undefined,
};

const EXPECTED: Readonly<Record<Kind, string>> = {
  text: `must be text of 1 to ${LONGEST} characters`,
  boolean: 'must be true or false',
  uuid: 'must be a UUID',
};

export interface Author {
  readonly caller: Pick<Caller, 'subject' | 'userType' | 'role'>;
  readonly place: Uuid | null;
  readonly transactionId: string;
  readonly now: Instant;
}

/** Accepted, without content unless `more` has it. */
export const newAction = (
  type: ActionType,
  { caller, place, transactionId, now }: Author,
  more: Partial<EventAction> = {},
): EventAction => ({
  id: newUuid(),
  transactionId,
  type,
  status: 'Accepted',
  createdAt: now,
  createdBy: caller.subject,
  createdByUserType: caller.userType,
  createdByRole: caller.role ?? null,
  createdAtLocation: place,
  declaration: {},
  annotation: null,
  originalActionId: null,
  assignedTo: null,
  registrationNumber: null,
  requestId: null,
  duplicates: [],
  customActionType: null,
  content: null,
  ...more,
});

/** Validated as far as possible without the event. */
export interface AskedAction {
  readonly type: ActionType;
  readonly customActionType: string | null;
  readonly transactionId: string;
  readonly createdAtLocation: Uuid | null;
  readonly declaration: DeclarationChange;
  readonly annotation: DeclarationChange | null;
  readonly content: Readonly<Record<string, unknown>> | null;
  readonly requestId: Uuid | null;
  readonly assignedTo: string | null;
  readonly keepAssignment: boolean;
  readonly keepAssignmentIfAccepted: boolean;
  /** No effect; keeps operation keys of earlier releases equal (E-12). */
  readonly keepAssignmentIfRejected: false;
}

type ActionBody = Pick<ActionMembersDto, keyof ActionMembersDto> & Pick<ActionDto, 'eventId'> & More;

interface More {
  readonly content?: unknown;
  readonly requestId?: string;
  readonly assignedTo?: string | null;
}

interface ActionPath {
  /** Absent: only the body may name the event. */
  readonly eventId?: Uuid;
  readonly customActionType?: string;
}

/** Throws 400 with every fault. */
export function askedAction(
  type: ActionType,
  body: ActionBody,
  { eventId, customActionType }: ActionPath = {},
): AskedAction {
  const faults = new BoundedFaults();
  if (body.type !== undefined && body.type !== type) faults.add('type', `must be "${type}"`);
  if (eventId !== undefined && body.eventId !== undefined && parseUuid(body.eventId) !== eventId) {
    faults.add('eventId', 'must be that of the path');
  }
  const asked: AskedAction = {
    type,
    customActionType: customActionType ?? null,
    transactionId: body.transactionId,
    createdAtLocation: parseUuid(body.createdAtLocation) ?? null,
    declaration: body.declaration === undefined ? {} : readDeclared(body.declaration, 'declaration', faults),
    annotation: isLeftOut(body.annotation) ? null : readDeclarationChange(body.annotation, 'annotation', faults),
    content: readContent(type, body.content, faults),
    requestId: parseUuid(body.requestId) ?? null,
    assignedTo: isLeftOut(body.assignedTo) ? null : lowerUuid(body.assignedTo),
    keepAssignment: body.keepAssignment ?? false,
    keepAssignmentIfAccepted: body.keepAssignmentIfAccepted ?? false,
    keepAssignmentIfRejected: false,
  };
  checkSize(asked.declaration, 'declaration', faults);
  checkSize(asked.annotation ?? {}, 'annotation', faults);
  if (type === 'CUSTOM') checkSize((asked.content ?? {}) as DeclarationChange, 'content', faults);
  faults.throwIfAny();
  return asked;
}

/** Throws 400. */
export const eventIdOf = (text: string): Uuid => requireUuid(text, 'eventId');

export const CUSTOM_ACTION_TYPE = /^[A-Za-z][A-Za-z0-9._-]{0,99}$/;

/** Throws 400. */
export function customActionTypeOf(text: string): string {
  const faults = new Faults();
  if (!CUSTOM_ACTION_TYPE.test(text)) {
    faults.add('customActionType', 'must be a letter, and at most 99 letters, digits, ".", "_" and "-"');
  }
  faults.throwIfAny();
  return text;
}
