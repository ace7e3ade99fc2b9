import type { Uuid } from '../src/kernel/domain/uuid.js';
import { type Culture, listOf } from './data.js';
import { drawUuid, type Prng } from './prng.js';

const LETTER = /\p{L}/u;
const MARK = /\p{M}/u;

/** One error: two letters swapped, one omitted, doubled or replaced. */
export function withTypingError(prng: Prng, text: string): string {
  const letters = Array.from(text);
  const at = prng.between(0, letters.length - 1);
  const [letter = '', next = '', afterNext = ''] = letters.slice(at, at + 3);
  // A mark stays with its letter.
  if (!LETTER.test(letter) || MARK.test(next)) return text;
  switch (prng.between(0, 3)) {
    case 0:
      if (LETTER.test(next) && !MARK.test(afterNext)) letters.splice(at, 2, cased(next, letter), cased(letter, next));
      break;
    case 1:
      if (letters.length > 2) letters.splice(at, 1);
      break;
    case 2:
      letters.splice(at + 1, 0, letter.toLowerCase());
      break;
    default: {
      // From the text itself, for the same script.
      const other = prng.pick(letters);
      if (LETTER.test(other)) letters.splice(at, 1, cased(other, letter));
    }
  }
  return letters.join('');
}

const cased = (letter: string, like: string): string =>
  like === like.toLowerCase() ? letter.toLowerCase() : letter.toUpperCase();

export const HOME_COUNTRY = 'FAR';
export const FOREIGN_COUNTRIES = listOf('foreignCountries');
const [STREETS, TOWNS, FOREIGN_CITIES] = [listOf('streets'), listOf('towns'), listOf('foreignCities')];

export type Address = Readonly<{
  country: string;
  addressType: 'DOMESTIC' | 'INTERNATIONAL';
  administrativeArea?: Uuid;
  streetLevelDetails?: Readonly<Record<string, string>>;
}>;

/** Every fourth one names the village alone. */
export function drawDomesticAddress(prng: Prng, village: Uuid): Address {
  const home = { country: HOME_COUNTRY, addressType: 'DOMESTIC', administrativeArea: village } as const;
  if (prng.chance(0.25)) return home;
  const streetLevelDetails = {
    town: prng.pickByRank(TOWNS),
    street: prng.pickByRank(STREETS),
    number: String(prng.between(1, 240)),
    zipCode: String(prng.between(10_000, 98_999)),
  };
  return { ...home, streetLevelDetails };
}

export const drawInternationalAddress = (prng: Prng): Address => ({
  country: prng.pick(FOREIGN_COUNTRIES),
  addressType: 'INTERNATIONAL',
  streetLevelDetails: {
    city: prng.pick(FOREIGN_CITIES),
    addressLine1: `${String(prng.between(1, 200))} ${prng.pick(STREETS)}`,
    postcode: String(prng.between(1_000, 99_999)),
  },
});

type StoredFile = Readonly<{ path: string; originalFilename: string; type: string }>;

const FILE_NAMES = listOf('fileNames');

/** Nothing is stored at its path. */
export function drawFile(prng: Prng, directory: string): StoredFile {
  const [extension, type] = prng.pick([
    ['jpg', 'image/jpeg'],
    ['png', 'image/png'],
    ['pdf', 'application/pdf'],
  ] as const);
  const originalFilename = `${prng.pick(FILE_NAMES)} ${String(prng.between(1, 9_999))}.${extension}`;
  return { path: `${directory}/${drawUuid(prng)}.${extension}`, originalFilename, type };
}

/** One or two files. */
export const drawFileOptions = (
  prng: Prng,
  directory: string,
  options: readonly string[],
): (StoredFile & Readonly<{ option: string }>)[] =>
  Array.from({ length: prng.chance(0.2) ? 2 : 1 }, () => ({
    ...drawFile(prng, directory),
    option: prng.pick(options),
  }));

const TYPING_ERRORS = 0.008;

type Gender = 'male' | 'female';
export const drawGender = (prng: Prng): Gender => (prng.chance(0.5) ? 'male' : 'female');

export type PersonName = Readonly<{ firstname: string; surname: string; middlename?: string }>;

export interface Person {
  readonly culture: Culture;
  readonly gender: Gender;
  readonly bornMs: number;
  readonly name: PersonName;
  /** The man's form of the surname. */
  readonly familyName: string;
  /** 10 digits. */
  readonly nationalId: string;
}

/** With a parent: that parent's child, with the first of two surnames. */
export function drawPerson(prng: Prng, culture: Culture, gender: Gender, bornMs: number, parent?: Person): Person {
  const firstname = prng.pickByRank(culture[gender]);
  const inherited = culture.doubleSurnames > 0.5 ? parent?.familyName.split(culture.joint)[0] : parent?.familyName;
  const first = inherited ?? prng.pickByRank(culture.surnames);
  const isDouble = prng.chance(culture.doubleSurnames);
  const familyName = isDouble ? first + culture.joint + prng.pickByRank(culture.surnames) : first;
  const surname = gender === 'female' ? culture.feminine(familyName) : familyName;
  const middlename = prng.chance(0.22) ? prng.pickByRank(culture[gender]) : firstname;
  const name = { firstname, surname, ...(middlename !== firstname && { middlename }) };
  return { culture, gender, bornMs, name, familyName, nationalId: String(prng.between(10 ** 9, 10 ** 10 - 1)) };
}

/** With occasional typing errors. */
export function typed(prng: Prng, { firstname, surname, middlename }: PersonName, errors = TYPING_ERRORS): PersonName {
  const part = (text: string): string => (prng.chance(errors) ? withTypingError(prng, text) : text);
  return {
    firstname: part(firstname),
    surname: part(surname),
    ...(middlename !== undefined && { middlename: part(middlename) }),
  };
}

/** Mobile, with or without the country code. */
export const drawPhone = (prng: Prng): string =>
  `${prng.chance(0.3) ? '+260' : '0'}${prng.pick(['97', '96', '95', '77'])}${prng.between(1_000_000, 9_999_999)}`;

/** The ASCII letters of the name, with a number. */
export function drawEmail(prng: Prng, { firstname, surname }: PersonName): string {
  const ascii = `${firstname}${surname}`.normalize('NFKD').replace(/[^A-Za-z]/g, '');
  return `${ascii === '' ? 'family' : ascii.toLowerCase()}${prng.between(1, 999)}@example.org`;
}
