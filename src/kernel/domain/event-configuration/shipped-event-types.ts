import type { DuplicateRule, EventType } from './event-type.js';

const PLACES_OF_BIRTH = [
  'child.birthLocationId',
  'child.birthLocation',
  'child.birthLocation.privateHome',
  'child.birthLocation.other',
  'child.placeOfBirth',
];
const PLACES_OF_DEATH = [
  'eventDetails.deathLocationId',
  'eventDetails.deathLocation',
  'eventDetails.deathLocationOther',
  'eventDetails.placeOfDeath',
  'deceased.placeOfDeath',
];
const PLACES_OF_MARRIAGE = [
  'eventDetails.marriageLocationId',
  'eventDetails.marriageLocation',
  'marriageDetails.placeOfMarriage',
  'marriage.placeOfMarriage',
];

const DATES_OF_DEATH = ['eventDetails.date', 'eventDetails.dateOfDeath', 'deceased.dateOfDeath'];
const DATES_OF_MARRIAGE = [
  'eventDetails.date',
  'marriageDetails.dateOfMarriage',
  'marriage.dateOfMarriage',
  'marriage.date',
];

/** Similar names, near dates, and the same mother by document or by name and date of birth (E-9). */
const SAME_BIRTH: DuplicateRule = {
  type: 'or',
  clauses: [
    {
      type: 'and',
      clauses: [
        { type: 'fuzzy', field: 'child.name' },
        { type: 'dateRange', field: 'child.dob', days: 5 },
        {
          type: 'or',
          clauses: [
            { type: 'strict', field: 'mother.nid' },
            { type: 'strict', field: 'mother.idNumber' },
            {
              type: 'and',
              clauses: [
                { type: 'fuzzy', field: 'mother.name' },
                { type: 'strict', field: 'mother.dob' },
              ],
            },
          ],
        },
      ],
    },
    { type: 'strict', field: 'child.nid' },
  ],
};

/** A shared document, or similar names, near dates of death and the same date of birth (E-9). */
const SAME_DEATH: DuplicateRule = {
  type: 'or',
  clauses: [
    { type: 'strict', field: 'deceased.nid' },
    { type: 'strict', field: 'deceased.idNumber' },
    {
      type: 'and',
      clauses: [
        { type: 'fuzzy', field: 'deceased.name' },
        { type: 'strict', field: 'deceased.dob' },
        {
          type: 'or',
          clauses: [
            { type: 'dateRange', field: 'eventDetails.date', days: 5 },
            { type: 'dateRange', field: 'deceased.dateOfDeath', days: 5 },
          ],
        },
      ],
    },
  ],
};

const shipped = (
  id: string,
  dateOfEvent: readonly string[],
  placeOfEvent: readonly string[],
  duplicates?: DuplicateRule,
): EventType => ({ ...withoutForm(id), dateOfEvent, placeOfEvent, duplicates });

/** Events of this type happened when and where they were created. */
export const withoutForm = (id: string): EventType => ({
  id,
  label: null,
  fields: undefined,
  dateOfEvent: [],
  placeOfEvent: [],
  flags: [],
  actions: new Map(),
  duplicates: undefined,
});

/** Dates by default, without configuration (S-10, E-3). */
export const DATES_WITHOUT_FORM: ReadonlySet<string> = new Set([
  ...['child.dob', 'mother.dob', 'father.dob', 'informant.dob', 'deceased.dob', 'spouse.dob'],
  ...DATES_OF_DEATH,
  ...DATES_OF_MARRIAGE,
]);

/** Defaults: field ids of upstream's example country, and other names in use. */
export const SHIPPED_EVENT_TYPES: ReadonlyMap<string, EventType> = new Map(
  [
    shipped('birth', ['child.dob'], PLACES_OF_BIRTH, SAME_BIRTH),
    shipped('death', DATES_OF_DEATH, PLACES_OF_DEATH, SAME_DEATH),
    shipped('marriage', DATES_OF_MARRIAGE, PLACES_OF_MARRIAGE),
  ].map((type) => [type.id, type]),
);
