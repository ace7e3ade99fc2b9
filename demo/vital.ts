import type { DeclarationValue } from '../src/kernel/domain/declaration.js';
import type { Uuid } from '../src/kernel/domain/uuid.js';
import type { Ward } from './country.js';
import { calendarDateOf, instantOf, YEAR_MS } from './day.js';
import {
  type DomesticAddress,
  drawEmail,
  drawFile,
  drawInternationalAddress,
  drawPerson,
  drawPhone,
  FOREIGN_COUNTRIES,
  GENDERS,
  HOME_COUNTRY,
  type Person,
  typed,
} from './person.js';
import { type Prng, Weighted } from './prng.js';

/** Field id to value. */
export type Fields = Record<string, DeclarationValue>;

/**
 * Notified by a health facility's system, by a health officer or community leader, declared at a registration post, or
 * declared and registered at the district's registry.
 */
export type Channel = 'facility' | 'field' | 'office' | 'registry';

/** Place, channel and time of the arrival; the event is earlier. */
export interface Arrival {
  readonly ward: Ward;
  readonly channel: Channel;
  readonly happenedMs: number;
  readonly arrivedMs: number;
}

/** A birth, death or marriage. */
export interface Vital extends Arrival {
  readonly type: 'birth' | 'death' | 'marriage';
  readonly place: Uuid;
  /** The field with the subject's name. */
  readonly nameField: string;
  /** Fields known to the notifier. */
  readonly notified: Fields;
  readonly declared: Fields;
}

const TIME_PERIODS = ['last7Days', 'last30Days', 'last90Days', 'last365Days'];

/** A time period in place of a date. */
export const drawRecency = (prng: Prng): string => prng.pick(TIME_PERIODS);

const OCCUPATIONS = ['Farmer', 'Trader', 'Teacher', 'Nurse', 'Driver', 'Fisher', 'Tailor', 'Student', 'Miner', 'Cook'];
const MARITAL_STATUSES = ['MARRIED', 'SINGLE', 'WIDOWED', 'DIVORCED', 'SEPARATED'];
const EDUCATION = ['PRIMARY', 'SECONDARY', 'NONE', 'TERTIARY'];

const ID_TYPES = new Weighted([
  [78, 'NATIONAL_ID'],
  [8, 'PASSPORT'],
  [14, 'NONE'],
] as const);

const VERIFICATION = new Weighted([
  [60, 'verified'],
  [20, 'authenticated'],
  [10, 'failed'],
  [10, 'pending'],
] as const);

interface Circumstances {
  readonly address: DomesticAddress;
  readonly atMs: number;
  /** The field with the day that an age refers to. */
  readonly asOfField: string;
}

/** Field ids of a person, cached: a record has dozens. */
export const personFields = (prefix: string) => ({
  name: `${prefix}.name`,
  dob: `${prefix}.dob`,
  dobUnknown: `${prefix}.dobUnknown`,
  age: `${prefix}.age`,
  nationality: `${prefix}.nationality`,
  address: `${prefix}.address`,
  maritalStatus: `${prefix}.maritalStatus`,
  educationalAttainment: `${prefix}.educationalAttainment`,
  occupation: `${prefix}.occupation`,
  idType: `${prefix}.idType`,
  passport: `${prefix}.passport`,
  nid: `${prefix}.nid`,
  verified: `${prefix}.verified`,
  nidLookup: `${prefix}.nidLookup`,
  idReader: `${prefix}.idReader`,
});

type PersonFields = ReturnType<typeof personFields>;

/** Fills in `<prefix>.name`, `.dob` or `.age`, `.nid`, `.address` and so on. */
export function describePerson(
  prng: Prng,
  fields: Fields,
  ids: PersonFields,
  person: Person,
  { address, atMs, asOfField }: Circumstances,
): void {
  fields[ids.name] = typed(prng, person.name);
  if (prng.chance(0.9)) {
    fields[ids.dob] = calendarDateOf(person.bornMs);
  } else {
    fields[ids.dobUnknown] = true;
    fields[ids.age] = { age: Math.floor((atMs - person.bornMs) / YEAR_MS), asOfDateRef: asOfField };
  }

  const isAbroad = prng.chance(0.02);
  fields[ids.nationality] = prng.chance(isAbroad ? 0.4 : 0.98) ? HOME_COUNTRY : prng.pick(FOREIGN_COUNTRIES);
  fields[ids.address] = isAbroad ? drawInternationalAddress(prng) : address;
  describeIdentity(prng, fields, ids, person, atMs);

  if (prng.chance(0.4)) fields[ids.maritalStatus] = prng.pickByRank(MARITAL_STATUSES);
  if (prng.chance(0.25)) fields[ids.educationalAttainment] = prng.pickByRank(EDUCATION);
  if (prng.chance(0.35)) fields[ids.occupation] = prng.pickByRank(OCCUPATIONS);
}

function describeIdentity(prng: Prng, fields: Fields, ids: PersonFields, person: Person, atMs: number): void {
  const idType = ID_TYPES.draw(prng);
  fields[ids.idType] = idType;
  if (idType === 'PASSPORT') fields[ids.passport] = `ZN${person.nationalId.slice(0, 7)}`;
  if (idType !== 'NATIONAL_ID') return;

  fields[ids.nid] = person.nationalId;
  if (prng.chance(0.4)) fields[ids.verified] = VERIFICATION.draw(prng);
  if (prng.chance(0.04)) fields[ids.nidLookup] = drawLookup(prng, person);
  if (prng.chance(0.04)) fields[ids.idReader] = drawReading(prng, person.nationalId, atMs);
}

/** The answer of the population register. */
const drawLookup = (prng: Prng, { name, bornMs }: Person): DeclarationValue =>
  prng.chance(0.75)
    ? { loading: false, data: { ...name, birthDate: calendarDateOf(bornMs) } }
    : { loading: false, error: { statusCode: 404, message: 'No person has this number' }, data: {} };

/** A card reader's result: its text, or its fields. */
const drawReading = (prng: Prng, nationalId: string, atMs: number): DeclarationValue =>
  prng.chance(0.5)
    ? { data: `IDFAR${nationalId}<<<<<<` }
    : { data: { nid: nationalId, reader: `card-reader-${prng.between(1, 40)}` }, updatedAt: instantOf(atMs) };

const OTHER_INFORMANTS = ['GRANDMOTHER', 'GRANDFATHER', 'AUNT', 'UNCLE', 'NEIGHBOUR', 'HEADMAN'];
const INFORMANTS_OCCUPATIONS = [
  { label: 'Farmer', value: '6111' },
  { label: 'Market trader', value: '5211' },
  { label: 'Primary-school teacher', value: '2341' },
  { label: 'Nurse', value: '2221' },
  { label: 'Chauffeur de taxi', value: '8322' },
];

/** Mostly the given relative, else somebody of the same people. */
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
  if (prng.chance(0.15)) fields['informant.occupation'] = prng.pick(INFORMANTS_OCCUPATIONS);
  if (prng.chance(0.1)) fields['informant.signature'] = drawFile(prng, 'signatures');
}
