import { OFFICE, OTHER_PROVINCE, PROVINCE } from './hierarchy.js';
import type { ValueConditions } from './value-conditions.js';
import { anyOf, exact, within } from './value-conditions.js';

const ADDRESS = {
  country: 'FAR',
  addressType: 'DOMESTIC',
  administrativeArea: OFFICE,
  streetLevelDetails: { street: 'Main Street', number: '12' },
};
const DETAILS = { street: 'Main Street', number: '12', town: 'Àlma', zip: '1', block: 'B', floor: '2' };

const spelled = (changes: object): string => JSON.stringify({ ...ADDRESS, ...changes });
const address = (changes: object) => exact(spelled(changes));
const detailed = (changes: object) => address({ streetLevelDetails: { ...DETAILS, ...changes } });

/** One of so many addresses, all of them in other streets but for these. */
const among = (count: number, ...some: readonly object[]) =>
  anyOf(
    ...Array.from({ length: count - some.length }, (_, at) => spelled({ streetLevelDetails: { street: `${at}` } })),
    ...some.map(spelled),
  );

/** As many as are compared one by one, as are compared together, and as are looked up by their countries alone. */
const COUNTS = [4, 5, 9];

/** Addresses in lists, with many details, and in countries with odd names: on top of the table of S-10. */
export const ADDRESS_CONDITIONS: Readonly<Record<string, ValueConditions>> = {
  'one of several addresses': {
    value: ADDRESS,
    yes: COUNTS.flatMap((count) => [
      among(count, {}),
      among(count, { country: 'far', administrativeArea: PROVINCE }),
      among(count, { administrativeArea: undefined, streetLevelDetails: { number: '12' } }),
    ]),
    no: COUNTS.flatMap((count) => [
      among(count),
      // Each is right where the other is wrong.
      among(count, { administrativeArea: OTHER_PROVINCE }, { country: 'FIN' }),
      among(count, { streetLevelDetails: { street: 'Main Street', town: '12' } }),
    ]),
  },
  'an address of many details': {
    value: { ...ADDRESS, streetLevelDetails: DETAILS },
    yes: [detailed({ town: 'àlma' }), among(5, { streetLevelDetails: DETAILS })],
    no: [
      detailed({ floor: '3' }),
      detailed({ room: '3' }),
      among(5, { streetLevelDetails: { ...DETAILS, room: '3' } }),
    ],
  },
  'an address whose details are no texts': {
    value: { ...ADDRESS, streetLevelDetails: { gate: true, names: ['x'], number: 12 } },
    yes: [{ streetLevelDetails: { gate: exact('true'), names: exact('x'), number: exact('12') } }],
    no: [{ gate: 'true' }, { names: 'x' }, { number: '12' }].map((details) => address({ streetLevelDetails: details })),
  },
  'an address inside a value': {
    value: { data: ADDRESS },
    yes: [{ data: address({ country: 'far' }) }, ...COUNTS.map((count) => ({ data: among(count, {}) }))],
    no: [{ data: address({ administrativeArea: OTHER_PROVINCE }) }, { data: among(9, { country: 'FIN' }) }],
  },
  'an address in a country that is named like a location': {
    value: {
      country: OFFICE,
      addressType: 'INTERNATIONAL',
      office: OFFICE,
      former: { country: 'FAR', addressType: 'DOMESTIC', administrativeArea: OFFICE },
    },
    yes: [
      { country: within(PROVINCE) },
      { office: within(OFFICE) },
      { former: within(PROVINCE) },
      { former: exact(JSON.stringify({ country: 'FAR', administrativeArea: PROVINCE })) },
    ],
    no: [within(PROVINCE), { country: within(OTHER_PROVINCE) }],
  },
};
