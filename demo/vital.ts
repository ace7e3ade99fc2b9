import { DAY_MS } from '../src/kernel/domain/calendar.js';
import type { DeclarationValue } from '../src/kernel/domain/event-record.js';
import type { Uuid } from '../src/kernel/domain/uuid.js';
import type { Ward } from './country.js';
import { calendarDateOf, instantOf, timeOfDay, YEAR_MS } from './day.js';
import type { Culture } from './names.js';
import {
  type DomesticAddress,
  drawDomesticAddress,
  drawEmail,
  drawFile,
  drawFileOptions,
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

const MOTHER = personFields('mother');
const FATHER = personFields('father');

const SINGLE_MOTHERS = 0.12;
const MIXED_COUPLES = 0.12;
const BORN_IN_A_FACILITY = 0.5;
const BOYS = 0.512;
/** The share of children notified without a name. */
const UNNAMED_AT_NOTIFICATION = 0.3;

const ATTENDANTS = ['MIDWIFE', 'PHYSICIAN', 'NURSE', 'TRADITIONAL_BIRTH_ATTENDANT', 'OTHER'];
const ATTENDANTS_AT_HOME = ATTENDANTS.toReversed();
const PROOFS_OF_BIRTH = ['NOTIFICATION_OF_BIRTH', 'PROOF_OF_BIRTH', 'ATTESTED_LETTER'];
const REASONS_FOR_NO_FATHER = ['Father unknown', 'Father is abroad', 'Père décédé', 'Not disclosed'];

/** Twins draw their names from separate halves. */
type Twin = 'even' | 'odd';

/** `own` decides what belongs to the child, `family` everything else, which twins share. */
export function drawBirth(family: Prng, own: Prng, arrival: Arrival, twin: Twin | undefined): Vital {
  const { ward, happenedMs } = arrival;
  const culture = ward.population.draw(family);
  const fathersCulture = family.chance(MIXED_COUPLES) ? ward.population.draw(family) : culture;
  const motherBornMs = happenedMs - (15 + 15 * (family.unit() + family.unit())) * YEAR_MS;
  const mother = drawPerson(family, culture, 'female', motherBornMs);
  const father = family.chance(SINGLE_MOTHERS)
    ? undefined
    : drawPerson(family, fathersCulture, 'male', motherBornMs - family.unit() * 10 * YEAR_MS);
  const facility = drawFacility(family, arrival);
  const address = drawDomesticAddress(family, ward.villages);
  const circumstances = { address, atMs: happenedMs, asOfField: 'child.dob' };

  const childGender = own.chance(BOYS) ? 'male' : 'female';
  const child = drawPerson(own, namesFor(twin, (father ?? mother).culture), childGender, happenedMs, father ?? mother);
  const declared: Fields = {};
  describeChild(own, declared, child, facility !== undefined, twin !== undefined);
  if (facility === undefined) {
    declared['child.placeOfBirth'] = 'PRIVATE_HOME';
    declared['child.birthLocation.privateHome'] = address;
  } else {
    declared['child.placeOfBirth'] = 'HEALTH_FACILITY';
    declared['child.birthLocation'] = facility;
  }
  if (own.chance(0.4)) declared['child.address'] = address;
  const notified: Fields = { ...declared, 'mother.name': mother.name, 'mother.address': address };
  if (own.chance(UNNAMED_AT_NOTIFICATION)) notified['child.name'] = { surname: child.name.surname };

  describePerson(family, declared, MOTHER, mother, circumstances);
  describeMotherhood(family, declared, happenedMs, facility !== undefined);
  if (father === undefined) {
    declared['father.detailsNotAvailable'] = true;
    declared['father.reason'] = family.pick(REASONS_FOR_NO_FATHER);
  } else {
    describePerson(family, declared, FATHER, father, circumstances);
  }
  describeInformant(family, declared, father ?? mother, father === undefined ? 'MOTHER' : 'FATHER', circumstances);
  declared['documents.proofOfBirth'] = drawFileOptions(family, 'births', PROOFS_OF_BIRTH);

  const place = facility ?? address.administrativeArea;
  return { ...arrival, type: 'birth', place, nameField: 'child.name', notified, declared };
}

function namesFor(twin: Twin | undefined, culture: Culture): Culture {
  if (twin === undefined) return culture;
  const half = (names: readonly string[]): string[] => names.filter((_, at) => (at % 2 === 0) === (twin === 'even'));
  return { ...culture, male: half(culture.male), female: half(culture.female) };
}

function drawFacility(prng: Prng, { channel, ward }: Arrival): Vital['place'] | undefined {
  if (channel === 'facility') return ward.facility;
  return prng.chance(BORN_IN_A_FACILITY) ? prng.pick([ward.facility, ward.hospital]) : undefined;
}

function describeChild(prng: Prng, fields: Fields, child: Person, inFacility: boolean, isTwin: boolean): void {
  fields['child.name'] = typed(prng, child.name);
  fields['child.gender'] = child.gender;
  fields['child.dob'] = calendarDateOf(child.bornMs);
  if (inFacility) fields['child.birthTime'] = timeOfDay(child.bornMs);
  fields['child.birthType'] = isTwin ? 'TWIN' : 'SINGLE';
  // Scales are scarce: the field may be empty.
  fields['child.weightAtBirth'] = inFacility || prng.chance(0.6) ? drawWeight(prng, isTwin) : {};
  fields['child.attendantAtBirth'] = prng.pickByRank(inFacility ? ATTENDANTS : ATTENDANTS_AT_HOME);
}

function drawWeight(prng: Prng, isTwin: boolean): DeclarationValue {
  const grams = Math.round(1_900 + 900 * (prng.unit() + prng.unit() + prng.unit())) - (isTwin ? 600 : 0);
  return prng.chance(0.9) ? { numericValue: grams / 1_000, unit: 'kg' } : { numericValue: grams, unit: 'g' };
}

function describeMotherhood(prng: Prng, fields: Fields, bornMs: number, inFacility: boolean): void {
  fields['mother.previousBirths'] = Math.floor(prng.unit() * prng.unit() * 7);
  if (!inFacility || !prng.chance(0.3)) return;
  const start = calendarDateOf(bornMs - DAY_MS * prng.between(60, 250));
  fields['mother.antenatalCare'] = { start, end: calendarDateOf(bornMs) };
  fields['mother.lastAntenatalVisit'] = drawRecency(prng);
}

const DECEASED = personFields('deceased');

/** With ICD-10 codes; the most frequent first. */
const CAUSES = [
  { label: 'Malaria, unspecified', value: 'B54' },
  { label: 'Pneumonia, unspecified organism', value: 'J18.9' },
  { label: 'Acute myocardial infarction', value: 'I21.9' },
  { label: 'Stroke, not specified', value: 'I64' },
  { label: 'Type 2 diabetes mellitus', value: 'E11.9' },
  { label: 'Respiratory tuberculosis', value: 'A16.9' },
  { label: 'HIV disease', value: 'B24' },
  { label: 'Malignant neoplasm of breast', value: 'C50.9' },
  { label: 'Traffic accident', value: 'V89.2' },
  { label: 'Chagas’ disease', value: 'B57.2' },
  { label: 'Senility', value: 'R54' },
];

const MANNERS = ['NATURAL_CAUSES', 'ACCIDENT', 'UNDETERMINED', 'HOMICIDE'];
const RELATIONS = ['SPOUSE', 'SON', 'DAUGHTER', 'SIBLING'];
const PROOFS_OF_DEATH = [
  'MEDICALLY_CERTIFIED_CAUSE_OF_DEATH',
  'POLICE_CERTIFICATE',
  'BURIAL_RECEIPT',
  'ATTESTED_LETTER',
];

/** Mostly of old people, declared by a relative. */
export function drawDeath(prng: Prng, arrival: Arrival): Vital {
  const { ward, channel, happenedMs } = arrival;
  const culture = ward.population.draw(prng);
  const deceased = drawPerson(prng, culture, prng.pick(GENDERS), happenedMs - drawAgeYears(prng) * YEAR_MS);
  const relativeBornMs = happenedMs - prng.between(20, 60) * YEAR_MS;
  const isOfTheFamily = prng.chance(0.6);
  const relative = drawPerson(prng, culture, prng.pick(GENDERS), relativeBornMs, isOfTheFamily ? deceased : undefined);
  const facility = channel === 'facility' || prng.chance(0.35) ? ward.facility : undefined;
  const address = drawDomesticAddress(prng, ward.villages);
  const circumstances = { address, atMs: happenedMs, asOfField: 'eventDetails.date' };

  const declared: Fields = { 'eventDetails.date': calendarDateOf(happenedMs) };
  if (facility === undefined) {
    declared['eventDetails.placeOfDeath'] = 'USUAL_RESIDENCE';
    declared['eventDetails.deathLocationOther'] = address;
  } else {
    declared['eventDetails.placeOfDeath'] = 'HEALTH_FACILITY';
    declared['eventDetails.deathLocation'] = facility;
    declared['eventDetails.timeOfDeath'] = timeOfDay(happenedMs);
  }
  declared['deceased.gender'] = deceased.gender;
  const notified: Fields = { ...declared, 'deceased.name': deceased.name };

  describePerson(prng, declared, DECEASED, deceased, circumstances);
  describeCause(prng, declared, happenedMs);
  describeInformant(prng, declared, relative, prng.pick(RELATIONS), circumstances);
  declared['documents.proofOfDeath'] = drawFileOptions(prng, 'deaths', PROOFS_OF_DEATH);

  const place = facility ?? address.administrativeArea;
  return { ...arrival, type: 'death', place, nameField: 'deceased.name', notified, declared };
}

function drawAgeYears(prng: Prng): number {
  const stage = prng.unit();
  if (stage < 0.1) return prng.unit() * 5;
  if (stage < 0.28) return 5 + prng.unit() * 45;
  return 50 + 24 * (prng.unit() + prng.unit());
}

function describeCause(prng: Prng, fields: Fields, diedMs: number): void {
  fields['eventDetails.mannerOfDeath'] = prng.pickByRank(MANNERS);
  const isEstablished = prng.chance(0.6);
  fields['eventDetails.causeOfDeathEstablished'] = isEstablished;
  if (!isEstablished) return;
  const cause = prng.pickByRank(CAUSES);
  fields['eventDetails.causeOfDeath'] = cause.label;
  fields['eventDetails.causeOfDeathCode'] = cause;
  if (!prng.chance(0.4)) return;
  const start = calendarDateOf(diedMs - DAY_MS * prng.between(2, 300));
  fields['eventDetails.illness'] = { start, end: calendarDateOf(diedMs) };
  fields['eventDetails.lastMedicalVisit'] = drawRecency(prng);
}
