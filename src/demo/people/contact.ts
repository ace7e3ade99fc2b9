import type { Prng } from '../prng.js';
import type { PersonName } from './person.js';

const MAIL_DOMAINS = ['example.org', 'example.com', 'mail.example.net'];

/** A mobile number, with or without the country code. */
export function drawPhone(prng: Prng): string {
  const subscriber = `${prng.pick(['97', '96', '95', '77'])}${String(prng.between(0, 9_999_999)).padStart(7, '0')}`;
  return prng.chance(0.3) ? `+260${subscriber}` : `0${subscriber}`;
}

/** The person's initials or ASCII given name with a number, as people choose them. */
export function drawEmail(prng: Prng, name: PersonName): string {
  const ascii = `${name.firstname}.${name.surname}`.normalize('NFKD').replace(/[^A-Za-z.]/g, '');
  const local = ascii.length > 4 ? ascii.replace(/^\.|\.$/g, '').toLowerCase() : 'family';
  return `${local}${String(prng.between(1, 999))}@${prng.pick(MAIL_DOMAINS)}`;
}
