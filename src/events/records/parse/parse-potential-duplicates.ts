import { POTENTIAL_DUPLICATE_FIELDS, type PotentialDuplicate } from '../../../kernel/domain/event-record.js';
import { type Faults, memberPath } from '../../../kernel/errors/faults.js';
import { Members } from '../../../kernel/input/members.js';
import { fieldsParser } from './parse-fields.js';

const KEYS = new Set(Object.keys(POTENTIAL_DUPLICATE_FIELDS));
const parseDuplicate = fieldsParser(POTENTIAL_DUPLICATE_FIELDS, {});

/** A list of `{id, trackingId}`; other keys are refused or ignored. */
export function parsePotentialDuplicates(
  value: unknown,
  path: string,
  faults: Faults,
  otherKeys: 'refused' | 'ignored',
): readonly PotentialDuplicate[] {
  if (!Array.isArray(value)) {
    faults.add(path, 'must be a list of {id, trackingId}');
    return [];
  }
  return value.flatMap((item: unknown, at) => {
    const members = Members.of(item, memberPath(path, at), faults);
    if (members === undefined) return [];
    if (otherKeys === 'refused') members.refuseOthersThan(KEYS);
    return [parseDuplicate(members)];
  });
}
