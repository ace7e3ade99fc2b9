import type { Culture } from '../names/culture.js';
import type { Prng } from '../prng.js';
import { withTypingError } from './typing-error.js';

const WITH_MIDDLE_NAME = 0.22;
const WITH_JOINT_GIVEN_NAME = 0.05;
const TYPING_ERRORS = 0.008;

/** The values of a gender field. */
export const GENDERS = ['male', 'female'] as const;
/** One of them. */
export type Gender = (typeof GENDERS)[number];

/** The value of a name field. */
export type PersonName = Readonly<{ firstname: string; surname: string; middlename?: string }>;

/** Somebody to whom events happen, or who informs of them. */
export interface Person {
  readonly culture: Culture;
  readonly gender: Gender;
  readonly bornMs: number;
  readonly name: PersonName;
  /** The surname as a man of the family bears it. */
  readonly familyName: string;
  /** 10 digits. */
  readonly nationalId: string;
}

/** A person of the culture; with a parent, that parent's child. */
export function drawPerson(prng: Prng, culture: Culture, gender: Gender, bornMs: number, parent?: Person): Person {
  const given = culture[gender];
  const one = prng.pickByRank(given);
  const firstname = prng.chance(WITH_JOINT_GIVEN_NAME) ? one + culture.joint + prng.pickByRank(given) : one;
  const own = parent === undefined ? prng.pickByRank(culture.surnames) : inherited(culture, parent);
  const familyName = prng.chance(culture.doubleSurnames)
    ? own + culture.joint + prng.pickByRank(culture.surnames)
    : own;
  const surname = gender === 'female' ? (culture.feminine?.(familyName) ?? familyName) : familyName;
  const middlename = prng.chance(WITH_MIDDLE_NAME) ? prng.pickByRank(given) : one;
  const name = middlename === one ? { firstname, surname } : { firstname, surname, middlename };
  return { culture, gender, bornMs, name, familyName, nationalId: drawDigits(prng, 10) };
}

function inherited(culture: Culture, { gender, name, familyName }: Person): string {
  if (culture.patronymic === true) return gender === 'male' ? name.firstname : familyName;
  // Where people bear two surnames, a child gets the first.
  return culture.doubleSurnames > 0.5 ? (familyName.split(culture.joint)[0] ?? familyName) : familyName;
}

/** The name as somebody typed it: now and then a part has a typing error. */
export const typed = (prng: Prng, name: PersonName, errors = TYPING_ERRORS): PersonName => {
  const part = (text: string): string => (prng.chance(errors) ? withTypingError(prng, text) : text);
  const { firstname, surname, middlename } = name;
  return {
    firstname: part(firstname),
    surname: part(surname),
    ...(middlename === undefined ? {} : { middlename: part(middlename) }),
  };
};

/** A number of so many digits, at most 15, which does not begin with 0. */
const drawDigits = (prng: Prng, digits: number): string => String(prng.between(10 ** (digits - 1), 10 ** digits - 1));
