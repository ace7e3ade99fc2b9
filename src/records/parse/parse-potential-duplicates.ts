import type { PotentialDuplicate } from '../../domain/record/event-record.js';
import { POTENTIAL_DUPLICATE_FIELDS } from '../../domain/record/event-record.js';
import type { Faults } from '../../errors/faults.js';
import { memberPath } from '../../errors/issue-path.js';
import { Members } from '../../input/members.js';
import { fieldsParser } from './parse-fields.js';

const KEYS = new Set(Object.keys(POTENTIAL_DUPLICATE_FIELDS));
const parseDuplicate = fieldsParser(POTENTIAL_DUPLICATE_FIELDS, {});

/** Events that an event could duplicate: a list of `{id, trackingId}`. `strict` refuses every other key. */
export function parsePotentialDuplicates(
  value: unknown,
  path: string,
  faults: Faults,
  strict: boolean,
): readonly PotentialDuplicate[] {
  if (!Array.isArray(value)) {
    faults.add(path, 'must be a list of {id, trackingId}');
    return [];
  }
  return value.flatMap((item: unknown, at) => {
    const members = Members.of(item, memberPath(path, at), faults);
    if (members === undefined) return [];
    if (strict) members.refuseOthersThan(KEYS);
    return [parseDuplicate(members)];
  });
}
