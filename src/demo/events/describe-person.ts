import type { DeclarationValue } from '../../domain/record/declaration.js';
import { calendarDateOf, instantOf, YEAR_MS } from '../day.js';
import { type DomesticAddress, drawInternationalAddress, FOREIGN_COUNTRIES, HOME_COUNTRY } from '../people/address.js';
import { type Person, typed } from '../people/person.js';
import type { Prng } from '../prng.js';
import { Weighted } from '../weighted.js';
import type { Fields } from './vital.js';

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

/** Where a person lives, and the day on which an age is an age. */
export interface Circumstances {
  readonly address: DomesticAddress;
  readonly atMs: number;
  /** The field that holds that day. */
  readonly asOfField: string;
}

/** The ids of the fields that describe a person, made once: a record has dozens of them. */
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

/** The ids of the fields that describe a person. */
export type PersonFields = ReturnType<typeof personFields>;

/** Fills in `<prefix>.name`, `.dob` or `.age`, `.nid`, `.address` and so on, as an official takes them down. */
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

/** What a look-up in the population register answered. */
const drawLookup = (prng: Prng, { name, bornMs }: Person): DeclarationValue =>
  prng.chance(0.75)
    ? { loading: false, data: { ...name, birthDate: calendarDateOf(bornMs) } }
    : { loading: false, error: { statusCode: 404, message: 'No person has this number' }, data: {} };

/** What a reader of identity cards took from a card: its text, or its fields. */
const drawReading = (prng: Prng, nationalId: string, atMs: number): DeclarationValue =>
  prng.chance(0.5)
    ? { data: `IDFAR${nationalId}<<<<<<` }
    : { data: { nid: nationalId, reader: `card-reader-${prng.between(1, 40)}` }, updatedAt: instantOf(atMs) };
