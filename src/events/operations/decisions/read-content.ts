import type { ActionType } from '../../../kernel/domain/event-action.js';
import { isWellFormedText, WELL_FORMED_TEXT } from '../../../kernel/domain/text.js';
import { parseUuid } from '../../../kernel/domain/uuid.js';
import { type Faults, memberPath } from '../../../kernel/errors/faults.js';
import { isLeftOut, isObject, isTextWithin } from '../../../kernel/input/checks.js';
import { readDeclarationChange } from '../../records/parse/declaration-values.js';

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
