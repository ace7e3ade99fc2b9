import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { aUuid } from './builders/a-uuid.js';

/** A country of two provinces; the first has a district with two offices, the second an office of its own. */
export const PROVINCE = aUuid(0xb1);
export const OTHER_PROVINCE = aUuid(0xb2);
export const DISTRICT = aUuid(0xb3);
export const OFFICE = aUuid(0xb4);
export const SECOND_OFFICE = aUuid(0xb5);
export const OTHER_OFFICE = aUuid(0xb6);
/** Not in the hierarchy. */
export const UNKNOWN_PLACE = aUuid(0xbf);

/** The same as a locations file. */
export const LOCATIONS_FILE = {
  administrativeAreas: [
    { id: PROVINCE, name: 'Province', partOf: null },
    { id: OTHER_PROVINCE, name: 'Other province', partOf: null },
    { id: DISTRICT, name: 'District', partOf: PROVINCE },
  ],
  locations: [
    { id: OFFICE, name: 'Office', partOf: DISTRICT },
    { id: SECOND_OFFICE, name: 'Second office', partOf: DISTRICT },
    { id: OTHER_OFFICE, name: 'Other office', partOf: OTHER_PROVINCE },
  ],
};

const BELOW: ReadonlyMap<string, readonly Uuid[]> = new Map([
  [PROVINCE, [PROVINCE, DISTRICT, OFFICE, SECOND_OFFICE]],
  [OTHER_PROVINCE, [OTHER_PROVINCE, OTHER_OFFICE]],
  [DISTRICT, [DISTRICT, OFFICE, SECOND_OFFICE]],
  [OFFICE, [OFFICE]],
  [SECOND_OFFICE, [SECOND_OFFICE]],
  [OTHER_OFFICE, [OTHER_OFFICE]],
]);

/** The location and everything below it; none for an unknown one. */
export const below = (location: string): readonly Uuid[] => BELOW.get(location) ?? [];
