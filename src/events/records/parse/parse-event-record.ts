import type { EventFlag } from '../../../kernel/domain/event-flag.js';
import { type EventRecord, RECORD_FIELDS } from '../../../kernel/domain/event-record.js';
import type { Faults } from '../../../kernel/errors/faults.js';
import { memberPath } from '../../../kernel/errors/issue-path.js';
import { BoundedFaults } from '../../../kernel/input/bounded-faults.js';
import { Members } from '../../../kernel/input/members.js';
import { outcomeOf, type Parsed } from '../../../kernel/input/parsed.js';
import { NAME } from '../../../kernel/input/readers.js';
import { readDeclaration } from './declaration-values.js';
import { fieldsParser } from './parse-fields.js';
import { parseLegalStatuses } from './parse-legal-status.js';
import { parsePotentialDuplicates } from './parse-potential-duplicates.js';

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
