import {
  type EventFlag,
  type EventRecord,
  LEGAL_STATUS_FIELDS,
  LEGAL_STATUSES,
  type LegalStatuses,
  RECORD_FIELDS,
  REGISTERED_STATUS_FIELDS,
} from '../../kernel/domain/event-record.js';
import { type Faults, memberPath } from '../../kernel/errors/faults.js';
import { BoundedFaults } from '../../kernel/input/input.js';
import { isLeftOut } from '../../kernel/input/checks.js';
import { Members, NAME, outcomeOf, type Parsed } from '../../kernel/input/readers.js';
import { readDeclaration } from './declaration-values.js';
import { fieldsParser, parsePotentialDuplicates } from './parse-fields.js';

/** Absent statuses become null. */
function parseLegalStatuses(value: unknown, path: string, faults: Faults): LegalStatuses {
  const members = Members.of(value, path, faults);
  members?.refuseOthersThan(STATUSES);
  return {
    DECLARED: members?.parsed('DECLARED', parseDeclared) ?? null,
    REGISTERED: members?.parsed('REGISTERED', parseRegistered) ?? null,
  };
}

const STATUSES = new Set(Object.keys(LEGAL_STATUSES));

const parseDeclared = statusParser(LEGAL_STATUS_FIELDS, fieldsParser(LEGAL_STATUS_FIELDS, {}));
const parseRegistered = statusParser(REGISTERED_STATUS_FIELDS, fieldsParser(REGISTERED_STATUS_FIELDS, {}));

/** Refuses unknown keys. */
function statusParser<T>(fields: object, parse: (members: Members) => T) {
  const known = new Set(Object.keys(fields));
  return (value: unknown, path: string, faults: Faults): T | null => {
    if (isLeftOut(value)) return null;
    const members = Members.of(value, path, faults);
    members?.refuseOthersThan(known);
    return members === undefined ? null : parse(members);
  };
}

const KEYS = new Set(Object.keys(RECORD_FIELDS));

/**
 * The interface's record table: other keys are refused, UUIDs are lower-cased, times truncated to milliseconds. Accepts
 * search answers (S-13) unchanged.
 */
export function parseEventRecord(value: unknown): Parsed<EventRecord> {
  const faults = new BoundedFaults();
  const members = Members.of(value, '', faults);
  if (members === undefined) return { kind: 'faulty', issues: faults.issues };
  const record = parseFields(members);
  members.refuseOthersThan(KEYS);
  return outcomeOf(record, faults);
}

const parseFields = fieldsParser(RECORD_FIELDS, {
  legalStatuses: parseLegalStatuses,
  potentialDuplicates: (list, path, into) => parsePotentialDuplicates(list, path, into, 'refused'),
  flags: parseFlags,
  declaration: readDeclaration,
});

/** Any non-empty text; duplicates are dropped. */
function parseFlags(value: unknown, path: string, faults: Faults): readonly EventFlag[] {
  if (!Array.isArray(value)) {
    faults.add(path, 'must be a list of flags');
    return [];
  }
  const flags = new Set<EventFlag>();
  value.forEach((item: unknown, at) => {
    const flag = NAME.read(item);
    if (flag === undefined) faults.add(memberPath(path, at), NAME.expected);
    else flags.add(flag);
  });
  return [...flags];
}
