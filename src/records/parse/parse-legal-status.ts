import type { LegalStatus, RegisteredStatus } from '../../domain/event-record.js';
import type { Faults } from '../../errors/faults.js';
import { Members } from '../../input/members.js';
import { INSTANT, NAME, TEXT, USER_TYPE, UUID } from '../../input/readers.js';

const DECLARED_KEYS = new Set([
  'createdAt',
  'createdBy',
  'createdAtLocation',
  'createdByUserType',
  'acceptedAt',
  'createdByRole',
]);
const REGISTERED_KEYS = new Set([...DECLARED_KEYS, 'registrationNumber']);

/** `legalStatuses.DECLARED`; null when it is absent or null. Interface, Legal-status object. */
export function parseDeclaredStatus(value: unknown, path: string, faults: Faults): LegalStatus | null {
  const members = membersOf(value, path, faults, DECLARED_KEYS);
  return members === undefined ? null : commonMembers(members);
}

/** `legalStatuses.REGISTERED`, which must have its registration number; null when it is absent or null. */
export function parseRegisteredStatus(value: unknown, path: string, faults: Faults): RegisteredStatus | null {
  const members = membersOf(value, path, faults, REGISTERED_KEYS);
  if (members === undefined) return null;
  return { ...commonMembers(members), registrationNumber: members.required('registrationNumber', NAME) };
}

function membersOf(value: unknown, path: string, faults: Faults, known: ReadonlySet<string>): Members | undefined {
  if (value === undefined || value === null) return undefined;
  const members = Members.of(value, path, faults);
  members?.refuseOthersThan(known);
  return members;
}

const commonMembers = (members: Members): LegalStatus => ({
  createdAt: members.required('createdAt', INSTANT),
  createdBy: members.required('createdBy', NAME),
  createdAtLocation: members.nullable('createdAtLocation', UUID),
  createdByUserType: members.nullable('createdByUserType', USER_TYPE),
  acceptedAt: members.required('acceptedAt', INSTANT),
  createdByRole: members.nullable('createdByRole', TEXT),
});
