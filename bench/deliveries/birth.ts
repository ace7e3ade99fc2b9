import { createHash } from 'node:crypto';

/** The tracking id of a birth: `run` has one character where it is to be found again. */
export const keyOfBirth = (run: string, number: number): string =>
  `B${run}${number.toString(36).toUpperCase().padStart(5, '0')}`;

/** Finds it in a notification. */
export const BIRTH_KEY = /(?<=")B[A-Z][0-9A-Z]{5}(?=")/;

interface Birth {
  readonly id: string;
  readonly type: string;
  readonly trackingId: string;
  readonly actions: readonly object[];
}

/** The document of a birth that was registered, as a trigger tells of it; another one for every number. */
export function birth(run: string, number: number): Birth {
  const id = (part: string): string => idOf(`${run} ${number} ${part}`);
  const trackingId = keyOfBirth(run, number);
  return {
    id: id('event'),
    type: 'birth',
    trackingId,
    actions: [
      {
        id: id('register'),
        type: 'REGISTER',
        status: 'Accepted',
        createdAt: '2026-06-03T09:00:00.000Z',
        createdBy: 'registrar-7',
        createdByUserType: 'user',
        createdByRole: 'LOCAL_REGISTRAR',
        registrationNumber: `2026${trackingId}`,
        declaration: DECLARATION,
      },
    ],
  };
}

/** The same birth after a certificate of it was printed. */
export function certifiedBirth(run: string, number: number): Birth {
  const { actions, ...event } = birth(run, number);
  const printed = {
    id: idOf(`${run} ${number} print`),
    type: 'PRINT_CERTIFICATE',
    status: 'Accepted',
    createdAt: '2026-06-04T09:00:00.000Z',
    createdBy: 'registrar-7',
    createdByUserType: 'user',
    createdByRole: 'LOCAL_REGISTRAR',
    declaration: {},
  };
  return { ...event, actions: [...actions, printed] };
}

/** A UUID, the same for the same name. */
function idOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** With it, a notification has about 2 KB. */
const DECLARATION = {
  'child.name': { firstname: 'Åsa', middlename: 'Mwila', surname: 'Öberg' },
  'child.gender': 'female',
  'child.dob': '2026-05-30',
  'child.birthType': 'SINGLE',
  'informant.relation': 'MOTHER',
  'informant.phoneNo': '+260700000000',
};
