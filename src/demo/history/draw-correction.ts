import type { DeclarationChange } from '../../domain/record/event-action.js';
import type { Vital } from '../events/vital.js';
import { drawPhone } from '../people/contact.js';
import { withTypingError } from '../people/typing-error.js';
import type { Prng } from '../prng.js';

/** What a correction takes out, where it is there: the first of these. */
const REMOVABLE = [
  'informant.email',
  'mother.occupation',
  'deceased.occupation',
  'groom.occupation',
  'bride.occupation',
];

/** The change that a correction makes: a name respelled, a telephone number replaced, a value taken out. */
export function drawCorrection(prng: Prng, { declared, nameField }: Vital): DeclarationChange {
  const kind = prng.unit();
  const removable = REMOVABLE.find((field) => field in declared);
  if (kind < 0.2 && removable !== undefined) return { [removable]: null };
  if (kind < 0.5 && 'informant.phoneNo' in declared) return { 'informant.phoneNo': drawPhone(prng) };
  const name = declared[nameField];
  if (typeof name === 'object' && 'firstname' in name && typeof name.firstname === 'string') {
    return { [nameField]: { firstname: withTypingError(prng, name.firstname) } };
  }
  return {};
}
