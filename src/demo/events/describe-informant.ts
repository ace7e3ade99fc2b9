import { YEAR_MS } from '../day.js';
import { drawEmail, drawPhone } from '../people/contact.js';
import { drawFile } from '../people/file.js';
import { drawPerson, GENDERS, type Person, typed } from '../people/person.js';
import type { Prng } from '../prng.js';
import type { Circumstances } from './describe-person.js';
import type { Fields } from './vital.js';

const OTHER_INFORMANTS = ['GRANDMOTHER', 'GRANDFATHER', 'AUNT', 'UNCLE', 'NEIGHBOUR', 'HEADMAN'];
const OCCUPATIONS = [
  { label: 'Farmer', value: '6111' },
  { label: 'Market trader', value: '5211' },
  { label: 'Primary-school teacher', value: '2341' },
  { label: 'Nurse', value: '2221' },
  { label: 'Chauffeur de taxi', value: '8322' },
];

/** Fills in who declares the event: mostly the relative that is given, else somebody of the same people. */
export function describeInformant(
  prng: Prng,
  fields: Fields,
  relative: Person,
  relation: string,
  circumstances: Circumstances,
): void {
  const isRelative = prng.chance(0.8);
  const informant = isRelative
    ? relative
    : drawPerson(prng, relative.culture, prng.pick(GENDERS), circumstances.atMs - 45 * YEAR_MS);
  fields['informant.relation'] = isRelative ? relation : prng.pickByRank(OTHER_INFORMANTS);
  if (!isRelative) {
    fields['informant.name'] = typed(prng, informant.name);
    fields['informant.address'] = circumstances.address;
  }
  fields['informant.phoneNo'] = drawPhone(prng);
  if (prng.chance(0.2)) fields['informant.email'] = drawEmail(prng, informant.name);
  if (prng.chance(0.15)) fields['informant.occupation'] = prng.pick(OCCUPATIONS);
  if (prng.chance(0.1)) fields['informant.signature'] = drawFile(prng, 'signatures');
}
