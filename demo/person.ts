import type { Uuid } from '../src/kernel/domain/uuid.js';
import { type Culture, listed } from './names.js';
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

export const FOREIGN_COUNTRIES: readonly string[] = ['ZMB', 'GBR', 'BRA', 'ETH', 'VNM', 'POL', 'NOR', 'IND', 'EGY'];

const STREETS = listed(`
  Independence Avenue, Market Road, Rua da Liberdade, Calle Ñandú, Church Street, Ulica Łódzka, Storgata, Mission Road,
  Avenue de l’Église, Station Road, Đường Lê Lợi, Strandgade, Hospital Road, Mango Lane, Rua São Tomé, School Road,
  Old Mill Road, Plaza Mayor, Lindenstraße, Kızılay Caddesi, Riverside Drive, Baobab Street
`);
const TOWNS = listed('Old Town, Riverside, Kabwata, New Market, Hillcrest, Centro, Station Quarter, Lakeside, Mission');
const FOREIGN_CITIES = listed(
  'Lusaka, Leeds, São Paulo, Addis Ababa, Đà Nẵng, Łódź, Tromsø, Pune, Alexandria, Düsseldorf',
);

export type DomesticAddress = Readonly<{
  country: string;
  addressType: 'DOMESTIC';
  administrativeArea: Uuid;
  streetLevelDetails?: Readonly<Record<string, string>>;
}>;

type InternationalAddress = Readonly<{
  country: string;
  addressType: 'INTERNATIONAL';
  streetLevelDetails: Readonly<Record<string, string>>;
}>;

/** Every fourth one names the village alone. */
export function drawDomesticAddress(prng: Prng, villages: readonly Uuid[]): DomesticAddress {
  const administrativeArea = prng.pick(villages);
  const home = { country: HOME_COUNTRY, addressType: 'DOMESTIC', administrativeArea } as const;
  if (prng.chance(0.25)) return home;
  const streetLevelDetails = {
    town: prng.pickByRank(TOWNS),
    street: prng.pickByRank(STREETS),
    number: String(prng.between(1, 240)),
    zipCode: String(prng.between(10_000, 98_999)),
  };
  return { ...home, streetLevelDetails };
}

export const drawInternationalAddress = (prng: Prng): InternationalAddress => ({
  country: prng.pick(FOREIGN_COUNTRIES),
  addressType: 'INTERNATIONAL',
  streetLevelDetails: {
    city: prng.pick(FOREIGN_CITIES),
    addressLine1: `${String(prng.between(1, 200))} ${prng.pick(STREETS)}`,
    postcode: String(prng.between(1_000, 99_999)),
  },
});

type StoredFile = Readonly<{ path: string; originalFilename: string; type: string }>;
type FileOption = StoredFile & Readonly<{ option: string }>;

const KINDS = [
  ['jpg', 'image/jpeg'],
  ['png', 'image/png'],
  ['pdf', 'application/pdf'],
] as const;
const NAMES = ['scan', 'IMG_20', 'WhatsApp Image ', 'document-', 'Ausweis Vorderseite ', 'cópia ', 'نسخة '];

/** Nothing is stored at its path. */
export function drawFile(prng: Prng, directory: string): StoredFile {
  const [extension, type] = prng.pick(KINDS);
  return {
    path: `${directory}/${drawUuid(prng)}.${extension}`,
    originalFilename: `${prng.pick(NAMES)}${String(prng.between(1, 9_999))}.${extension}`,
    type,
  };
}

/** One or two files. */
export const drawFileOptions = (prng: Prng, directory: string, options: readonly string[]): FileOption[] =>
  Array.from({ length: prng.chance(0.2) ? 2 : 1 }, () => ({
    ...drawFile(prng, directory),
    option: prng.pick(options),
  }));

const WITH_MIDDLE_NAME = 0.22;
const WITH_JOINT_GIVEN_NAME = 0.05;
const TYPING_ERRORS = 0.008;

export const GENDERS = ['male', 'female'] as const;
type Gender = (typeof GENDERS)[number];

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

/** With a parent: that parent's child. */
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
  // The child gets the first of two surnames.
  return culture.doubleSurnames > 0.5 ? (familyName.split(culture.joint)[0] ?? familyName) : familyName;
}

/** With occasional typing errors. */
export const typed = (prng: Prng, name: PersonName, errors = TYPING_ERRORS): PersonName => {
  const part = (text: string): string => (prng.chance(errors) ? withTypingError(prng, text) : text);
  const { firstname, surname, middlename } = name;
  return {
    firstname: part(firstname),
    surname: part(surname),
    ...(middlename === undefined ? {} : { middlename: part(middlename) }),
  };
};

/** At most 15 digits, without a leading 0. */
const drawDigits = (prng: Prng, digits: number): string => String(prng.between(10 ** (digits - 1), 10 ** digits - 1));

const MAIL_DOMAINS = ['example.org', 'example.com', 'mail.example.net'];

/** Mobile, with or without the country code. */
export function drawPhone(prng: Prng): string {
  const subscriber = `${prng.pick(['97', '96', '95', '77'])}${String(prng.between(0, 9_999_999)).padStart(7, '0')}`;
  return prng.chance(0.3) ? `+260${subscriber}` : `0${subscriber}`;
}

/** The initials or ASCII given name, with a number. */
export function drawEmail(prng: Prng, name: PersonName): string {
  const ascii = `${name.firstname}.${name.surname}`.normalize('NFKD').replace(/[^A-Za-z.]/g, '');
  const local = ascii.length > 4 ? ascii.replace(/^\.|\.$/g, '').toLowerCase() : 'family';
  return `${local}${String(prng.between(1, 999))}@${prng.pick(MAIL_DOMAINS)}`;
}
