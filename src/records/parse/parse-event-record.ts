import type { EventFlag } from '../../domain/event-flag.js';
import type { EventRecord } from '../../domain/event-record.js';
import { EVENT_STATUSES } from '../../domain/event-status.js';
import type { Faults } from '../../errors/faults.js';
import { memberPath } from '../../errors/issue-path.js';
import { BoundedFaults } from '../../input/bounded-faults.js';
import { Members } from '../../input/members.js';
import type { Parsed } from '../../input/parsed.js';
import { outcomeOf } from '../../input/parsed.js';
import { DATE, INSTANT, NAME, oneOf, TEXT, USER_TYPE, UUID } from '../../input/readers.js';
import { readDeclaration } from './declaration-values.js';
import { parseDeclaredStatus, parseRegisteredStatus } from './parse-legal-status.js';
import { parsePotentialDuplicates } from './parse-potential-duplicates.js';

const STATUS = oneOf(EVENT_STATUSES);
const LEGAL_STATUSES = new Set(['DECLARED', 'REGISTERED']);
const KEYS = new Set([
  'id',
  'type',
  'status',
  'legalStatuses',
  'createdAt',
  'dateOfEvent',
  'placeOfEvent',
  'createdBy',
  'createdByUserType',
  'updatedByUserRole',
  'createdAtLocation',
  'updatedAtLocation',
  'updatedAt',
  'assignedTo',
  'updatedBy',
  'trackingId',
  'potentialDuplicates',
  'flags',
  'declaration',
]);

/**
 * The record that `value` spells, by the record table of the interface: what is not required may be absent or null,
 * other keys are refused, UUIDs become lower case and times are cut to milliseconds. What a search answers (S-13) is
 * taken back as it is.
 */
export function parseEventRecord(value: unknown): Parsed<EventRecord> {
  const faults = new BoundedFaults();
  const members = Members.of(value, '', faults);
  if (members === undefined) return { kind: 'faulty', issues: faults.issues };
  const record: EventRecord = {
    id: members.required('id', UUID),
    type: members.required('type', NAME),
    status: members.required('status', STATUS),
    legalStatuses: members.parsed('legalStatuses', parseLegalStatuses),
    createdAt: members.required('createdAt', INSTANT),
    dateOfEvent: members.nullable('dateOfEvent', DATE),
    placeOfEvent: members.nullable('placeOfEvent', UUID),
    createdBy: members.required('createdBy', NAME),
    createdByUserType: members.nullable('createdByUserType', USER_TYPE),
    updatedByUserRole: members.nullable('updatedByUserRole', TEXT),
    createdAtLocation: members.nullable('createdAtLocation', UUID),
    updatedAtLocation: members.nullable('updatedAtLocation', UUID),
    updatedAt: members.required('updatedAt', INSTANT),
    assignedTo: members.nullable('assignedTo', TEXT),
    updatedBy: members.nullable('updatedBy', TEXT),
    trackingId: members.required('trackingId', NAME),
    potentialDuplicates: members.parsed('potentialDuplicates', (list, path, into) =>
      parsePotentialDuplicates(list, path, into, true),
    ),
    flags: members.parsed('flags', parseFlags),
    declaration: members.parsed('declaration', readDeclaration),
  };
  members.refuseOthersThan(KEYS);
  return outcomeOf(record, faults);
}

function parseLegalStatuses(value: unknown, path: string, faults: Faults): EventRecord['legalStatuses'] {
  const members = Members.of(value, path, faults);
  members?.refuseOthersThan(LEGAL_STATUSES);
  return {
    DECLARED: members?.parsed('DECLARED', parseDeclaredStatus) ?? null,
    REGISTERED: members?.parsed('REGISTERED', parseRegisteredStatus) ?? null,
  };
}

/** Any text that is not empty is a flag (interface, Flags); each is kept once. */
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
