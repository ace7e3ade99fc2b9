import { aUuid } from './builders/a-uuid.js';

/** The places of `COUNTRY`. */
export const [NORTH, SOUTH, LAKE, WARD, OFFICE] = [aUuid(1), aUuid(2), aUuid(3), aUuid(4), aUuid(5)];

/** The lake district lies in the north; in it a ward, in that an office. */
export const COUNTRY = {
  administrativeAreas: [
    { id: NORTH, name: 'North', partOf: null },
    { id: SOUTH, name: 'South', partOf: null },
    { id: LAKE, name: 'Lake', partOf: NORTH },
    { id: WARD, name: 'Ward', partOf: LAKE },
  ],
  locations: [{ id: OFFICE, name: 'Office', partOf: WARD }],
};
