import fc from 'fast-check';

import { aUuid } from './builders/a-uuid.js';
import { DISTRICT, OFFICE, OTHER_OFFICE, OTHER_PROVINCE, PROVINCE, SECOND_OFFICE, UNKNOWN_PLACE } from './hierarchy.js';

/**
 * What random records and searches are made of: few enough values that they meet, and for whatever SQL, a pattern, an
 * array or JSON could read otherwise a twin that would then be found with it.
 */
export const TEXTS = [
  ...['50%', '50x', 'a_b', 'axb', 'A_B'],
  ...['Ama', 'ama', 'AMA', 'amb', 'Am', 'Ama ', 'Amá', 'Ama\u0301', 'AMÁ'],
  ...['Ama Kofi', 'kofi ama', 'Ama-Kofi', 'Ama Kofi Mensah', 'ama.k@post.example', 'AMA.K@POST.EXAMPLE'],
  // Near one another, and near what is above, by one edit, by two and by three.
  ...['Mensha', 'Mnesah Kofii', 'Kof', 'Kofi Mennsahh', 'Meensahhh', 'ama.k@pots.example', '1234567890', '1324567890'],
  ...["O'Neil", "O''Neil", 'O"Neil', 'back\\slash', 'back\\\\slash', 'backslash', "'; drop table event; --"],
  ...['{Ama,amb}', '{"Ama"}', '["Ama"]', '"Ama"', '{}', '$1', 'NULL', 'null', 'true', 'False'],
  ...['3', '3.0', '+3', '30e-1', '03', '3a', '-1', '1e400', '0', '-0', '.5'],
  ...['2024-02-29', '2024-02-28', '2024-03-01', '2023-02-29', '2024-02', '2024-02-29T00:00:00Z', '0000-01-01'],
  ...['straße', 'STRASSE', 'ısık', 'ISIK', 'isik', 'İzmir', 'ΟΔΟΣ', 'οδος', 'οδοσ', 'Łódź', 'lodz'],
  // Vowel signs, points, joiners, what folding splits, and addresses in punctuation.
  ...['রিমা', 'রাম', 'রি\u200dমা', 'שָׁלוֹם', 'שלום', 'ガ', 'カ', '\ufdfa', 'صلى الله عليه وسلم', 'محمد \ufdfa'],
  ...['Ama <ama.k@post.example>,', '«AMA.K@POST.EXAMPLE».', 'ama\u200c.k@post.example', 'Ama@Kofi@post', '<@ama>'],
  ...[`ama\u200d${OFFICE}`, `\u200c${OFFICE}`],
  // Of which not every word has a term of its own: codes, paths, texts with a UUID in them, long ones.
  ...['NATIONAL_ID', 'ama/kofi', `ama/${OFFICE}.png`, `Kofi ${PROVINCE.toUpperCase()}`, 'domestic', 'ama '.repeat(70)],
  'a b c d e f g h i j k l m n o p q r s kofi',
  // Apostrophes, what shows nothing, other spaces, and other digits.
  ...[
    "Ng'ang'a",
    'Ng’angʼa',
    'Nganga',
    "N'Diaye",
    'Ndiaye',
    'Ama\u200b',
    '\u00adAma',
    '\u200eAma Kofi\u200f',
    '\u200b',
  ],
  ...['Ama\u00a0 \tKofi', 'Ama\u2060Kofi', '\u200e1234567890', '১২৩৪৫৬৭৮৯০', '٣', '\u0663.0\u00a0', 'a\u00adxb'],
  ...['2024-02-29\u00a0', '২০২৪-০২-২৯', `${OFFICE} `, `\u200f${OFFICE.toUpperCase()}`, 'Kofi ২', 'Kofi 2'],
  // Letters that do not decompose, and variants of one letter.
  ...['Ɓala', 'bala', 'Əma', 'ema', 'Kɔfi', 'علي كريمي', 'علی کریمی', 'محـــمد', 'محمد', 'أحمد', 'احمد', 'ሠላም', 'ሰላም'],
  // Words that also count as one.
  ...['Dela Cruz', 'De la Cruz', 'Delacruz', 'Delacruzz', 'amakofi', 'AmaKofi Mensah', 'Kofimensah', 'kofi kofi'],
  // In the order of UTF-16 units these two change places.
  ...['\u{1f600}', '\uff5e', '', ' ', '\t', '\u0301', '--', '/*'],
];

export const PLACES = [PROVINCE, OTHER_PROVINCE, DISTRICT, OFFICE, SECOND_OFFICE, OTHER_OFFICE];

export const aText = fc.constantFrom(...TEXTS);
export const aPlace = fc.constantFrom(...PLACES);
export const aPlaceOrNone = fc.constantFrom<string>(...PLACES, UNKNOWN_PLACE, OFFICE.toUpperCase(), 'nowhere');
export const aDate = fc.constantFrom(
  '2024-02-28',
  '2024-02-29',
  '2024-03-01',
  '2024-03-31',
  '2025-01-01',
  '0001-01-01',
);

export const EVENT_TYPES = ['birth', 'Birth', 'death', "tennis-club'"];
export const PEOPLE = ['u-1', 'U-1', 'u_1', 'u-2'];
export const ROLES = ['REGISTRAR', 'registrar', 'FIELD_AGENT'];
export const FLAGS = ['incomplete', 'Incomplete', 'sealed', 'register:requested', '{}', 'a,b', 'NULL', ''];

export const RECORD_NUMBERS = Array.from({ length: 30 }, (_, at) => at);
/** Ids and numbers of a random record, by its own number: their spellings differ in letter case alone. */
export const idOf = (number: number) => aUuid(0xabc0 + number);
export const trackingIdOf = (number: number): string => spelled('Track', number);
export const registrationNumberOf = (number: number): string => spelled('regn', number);

function spelled(text: string, number: number): string {
  const letters = Array.from(text.padEnd(4), (letter, at) =>
    (number >> at) & 1 ? letter.toUpperCase() : letter.toLowerCase(),
  );
  return `${letters.join('')}${number >> 4}`;
}

/** Field ids, and keys of nested groups; some are both. */
export const FIELDS_OF_ANY_KIND = ['child.name', 'child_name', 'type', "it's", '0'];
/** As forms have them: where a field has values of one kind alone, searches look for nothing else there. */
export const FIELDS_OF_ONE_KIND = ['child.weight', 'child.dob', 'mother.name'] as const;
export const FIELD_IDS: string[] = [...FIELDS_OF_ANY_KIND, ...FIELDS_OF_ONE_KIND];
export const MEMBER_KEYS = [
  ...['firstname', 'country', 'streetLevelDetails', 'street', 'age', 'label', 'data', 'a', 'b', 'm', '0'],
];

/** Around the ends of a day in UTC and in the zones below, with their changes of clocks. */
export const INSTANTS = [
  ...['2018-11-04T02:59:59.999Z', '2018-11-04T03:00:00.000Z', '2018-11-04T23:59:59.999Z', '2018-11-05T02:00:00.000Z'],
  ...['2011-12-30T09:59:59.999Z', '2011-12-30T10:00:00.000Z', '2011-12-31T09:59:59.999Z', '2024-02-28T18:15:00.000Z'],
  ...['2024-02-29T00:00:00.000Z', '2024-02-29T12:30:15.000Z', '2024-02-29T12:30:15.123Z', '2024-02-29T12:30:15.124Z'],
  ...['2024-02-29T12:30:16.000Z', '2024-02-22T12:30:15.123Z', '2024-02-22T12:30:15.122Z', '2024-01-30T12:30:15.123Z'],
  ...['0001-01-02T00:00:00.000Z', '9999-12-30T23:59:59.999Z'],
];
/** The present of every random search: seven days and thirty days after two of the instants, to the millisecond. */
export const NOW = new Date('2024-02-29T12:30:15.123Z');
export const DATES_OF_INSTANTS = [
  '2018-11-04',
  '2018-11-05',
  '2011-12-30',
  '2011-12-31',
  '2024-02-29',
  '0001-01-01',
  '9999-12-31',
];
export const TIMEZONES = ['UTC', 'Africa/Lusaka', 'America/Sao_Paulo', 'Asia/Kathmandu', 'Pacific/Apia'];
