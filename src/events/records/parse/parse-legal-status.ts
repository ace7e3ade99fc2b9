import {
  LEGAL_STATUS_FIELDS,
  LEGAL_STATUSES,
  type LegalStatuses,
  REGISTERED_STATUS_FIELDS,
} from '../../../kernel/domain/event-record.js';
import type { Faults } from '../../../kernel/errors/faults.js';
import { Members } from '../../../kernel/input/members.js';
import { fieldsParser } from './parse-fields.js';
import { isLeftOut } from '../../../kernel/input/is-left-out.js';

/** Absent statuses become null. */
export function parseLegalStatuses(value: unknown, path: string, faults: Faults): LegalStatuses {
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
