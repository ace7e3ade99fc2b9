import { DAY_MS, HOUR_MS } from '../src/kernel/domain/calendar.js';
import type { DeclarationValue, PotentialDuplicate } from '../src/kernel/domain/event-record.js';
import type { Uuid } from '../src/kernel/domain/uuid.js';
import { labelledOf, listOf } from './data.js';
import { calendarDateOf, instantOf, startOfDayMs, timeOfDay, YEAR_MS } from './day.js';
import {
  type Address,
  drawDomesticAddress,
  drawEmail,
  drawFile,
  drawFileOptions,
  drawGender,
  drawInternationalAddress,
  drawPerson,
  drawPhone,
  FOREIGN_COUNTRIES,
  HOME_COUNTRY,
  type Person,
  type PersonName,
  typed,
} from './person.js';
import type { Ward } from './places.js';
import { Prng, Weighted } from './prng.js';
import { recordKeysOf } from './record-keys.js';

/** Field id to value. */
type Fields = Record<string, DeclarationValue>;

/**
 * Notified by a health facility's system, by a health officer or community leader, declared at a registration post, or
 * declared and registered at the district's registry.
 */
type Channel = 'facility' | 'field' | 'office' | 'registry';

/** Place, channel and time of the arrival; the event is earlier. */
interface Arrival {
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

const TIME_PERIODS = listOf('timePeriods');
const VERIFICATION = ['verified', 'authenticated', 'pending', 'failed'];
const [MARITAL_STATUSES, EDUCATION, OCCUPATIONS] = [
  listOf('maritalStatuses'),
  listOf('education'),
  listOf('occupations'),
];

interface Circumstances {
  readonly address: Address;
  readonly atMs: number;
  /** The field with the day that an age refers to. */
  readonly asOfField: string;
}

/** `<prefix>.name`, `.dob` or `.age`, `.nid`, `.address` and so on. */
function describePerson(prng: Prng, prefix: string, person: Person, circumstances: Circumstances): Fields {
  const { address, atMs, asOfField } = circumstances;
  const { nationalId: nid, bornMs } = person;
  const isAbroad = prng.chance(0.02);
  const idType = prng.pick([
    'NATIONAL_ID',
    'NATIONAL_ID',
    'NATIONAL_ID',
    'NATIONAL_ID',
    'NATIONAL_ID',
    'PASSPORT',
    'NONE',
  ]);
  const some = (share: number, fields: () => Fields): Fields => (prng.chance(share) ? fields() : {});
  const values: Fields = {
    name: typed(prng, person.name),
    ...(prng.chance(0.9)
      ? { dob: calendarDateOf(bornMs) }
      : { dobUnknown: true, age: { age: Math.floor((atMs - bornMs) / YEAR_MS), asOfDateRef: asOfField } }),
    nationality: prng.chance(isAbroad ? 0.4 : 0.98) ? HOME_COUNTRY : prng.pick(FOREIGN_COUNTRIES),
    address: isAbroad ? drawInternationalAddress(prng) : address,
    idType,
    ...(idType === 'PASSPORT' && { passport: `ZN${nid.slice(0, 7)}` }),
    ...(idType === 'NATIONAL_ID' && {
      nid,
      ...some(0.4, () => ({ verified: prng.pickByRank(VERIFICATION) })),
      ...some(0.04, () => ({ nidLookup: drawLookup(prng, person) })),
      ...some(0.04, () => ({ idReader: drawReading(prng, nid, atMs) })),
    }),
    ...some(0.4, () => ({ maritalStatus: prng.pickByRank(MARITAL_STATUSES) })),
    ...some(0.25, () => ({ educationalAttainment: prng.pickByRank(EDUCATION) })),
    ...some(0.35, () => ({ occupation: prng.pickByRank(OCCUPATIONS) })),
  };
  return Object.fromEntries(Object.entries(values).map(([field, value]) => [`${prefix}.${field}`, value]));
}

/** The answer of the population register. */
const drawLookup = (prng: Prng, { name, bornMs }: Person): DeclarationValue =>
  prng.chance(0.75)
    ? { loading: false, data: { ...name, birthDate: calendarDateOf(bornMs) } }
    : { loading: false, error: { statusCode: 404, message: 'No person has this number' }, data: {} };

/** A card reader's result: its text, or its fields. */
const drawReading = (prng: Prng, nid: string, atMs: number): DeclarationValue =>
  prng.chance(0.5)
    ? { data: `IDFAR${nid}<<<<<<` }
    : { data: { nid, reader: `card-reader-${prng.between(1, 40)}` }, updatedAt: instantOf(atMs) };

const OTHER_INFORMANTS = listOf('otherInformants');
const INFORMANTS_OCCUPATIONS = labelledOf('occupations');

/** Mostly the given relative, else somebody of the same people. */
function describeInformant(prng: Prng, relative: Person, relation: string, { address, atMs }: Circumstances): Fields {
  const isRelative = prng.chance(0.8);
  const other = drawPerson(prng, relative.culture, drawGender(prng), atMs - 45 * YEAR_MS);
  const { name } = isRelative ? relative : other;
  return {
    'informant.relation': isRelative ? relation : prng.pickByRank(OTHER_INFORMANTS),
    ...(!isRelative && { 'informant.name': typed(prng, name), 'informant.address': address }),
    'informant.phoneNo': drawPhone(prng),
    ...(prng.chance(0.2) && { 'informant.email': drawEmail(prng, name) }),
    ...(prng.chance(0.15) && { 'informant.occupation': prng.pick(INFORMANTS_OCCUPATIONS) }),
    ...(prng.chance(0.1) && { 'informant.signature': drawFile(prng, 'signatures') }),
  };
}

const ATTENDANTS = listOf('attendants');
const PROOFS_OF_BIRTH = listOf('proofsOfBirth');
const REASONS_FOR_NO_FATHER = listOf('reasonsForNoFather');
const MIXED_COUPLES = 0.12;

function drawBirth(prng: Prng, arrival: Arrival): Vital {
  const { ward, channel, happenedMs } = arrival;
  const culture = ward.population.draw(prng);
  const fathersCulture = prng.chance(MIXED_COUPLES) ? ward.population.draw(prng) : culture;
  const motherBornMs = happenedMs - (15 + 15 * (prng.unit() + prng.unit())) * YEAR_MS;
  const mother = drawPerson(prng, culture, 'female', motherBornMs);
  const father = prng.chance(0.12)
    ? undefined
    : drawPerson(prng, fathersCulture, 'male', motherBornMs - prng.unit() * 10 * YEAR_MS);
  const parent = father ?? mother;
  const child = drawPerson(prng, parent.culture, drawGender(prng), happenedMs, parent);
  const facility =
    channel === 'facility' || prng.chance(0.25) ? ward.facility : prng.chance(0.3) ? ward.hospital : undefined;
  const address = drawDomesticAddress(prng, prng.pick(ward.villages));
  const circumstances = { address, atMs: happenedMs, asOfField: 'child.dob' };
  const described: Fields = {
    'child.name': typed(prng, child.name),
    'child.gender': child.gender,
    'child.dob': calendarDateOf(happenedMs),
    'child.birthType': prng.chance(0.98) ? 'SINGLE' : 'TWIN',
    // Scales are scarce: the field may be empty.
    'child.weightAtBirth':
      facility === undefined && prng.chance(0.4) ? {} : { numericValue: prng.between(190, 460) / 100, unit: 'kg' },
    'child.attendantAtBirth': prng.pickByRank(ATTENDANTS),
    ...(facility === undefined
      ? { 'child.placeOfBirth': 'PRIVATE_HOME', 'child.birthLocation.privateHome': address }
      : {
          'child.placeOfBirth': 'HEALTH_FACILITY',
          'child.birthLocation': facility,
          'child.birthTime': timeOfDay(happenedMs),
        }),
    ...(prng.chance(0.4) && { 'child.address': address }),
  };
  const antenatalMs = happenedMs - DAY_MS * prng.between(60, 250);
  return {
    ...arrival,
    type: 'birth',
    place: facility ?? address.administrativeArea ?? ward.office,
    nameField: 'child.name',
    notified: {
      ...described,
      ...(prng.chance(0.3) && { 'child.name': { surname: child.name.surname } }),
      'mother.name': mother.name,
      'mother.address': address,
    },
    declared: {
      ...described,
      ...describePerson(prng, 'mother', mother, circumstances),
      'mother.previousBirths': prng.between(0, 6),
      ...(prng.chance(0.15) && {
        'mother.antenatalCare': { start: calendarDateOf(antenatalMs), end: calendarDateOf(happenedMs) },
        'mother.lastAntenatalVisit': prng.pick(TIME_PERIODS),
      }),
      ...(father === undefined
        ? { 'father.detailsNotAvailable': true, 'father.reason': prng.pick(REASONS_FOR_NO_FATHER) }
        : describePerson(prng, 'father', father, circumstances)),
      ...describeInformant(prng, parent, father === undefined ? 'MOTHER' : 'FATHER', circumstances),
      'documents.proofOfBirth': drawFileOptions(prng, 'births', PROOFS_OF_BIRTH),
    },
  };
}

const CAUSES = labelledOf('causes');
const [MANNERS, RELATIONS, PROOFS_OF_DEATH] = [listOf('manners'), listOf('relations'), listOf('proofsOfDeath')];

/** Mostly of old people, declared by a relative. */
function drawDeath(prng: Prng, arrival: Arrival): Vital {
  const { ward, channel, happenedMs } = arrival;
  const culture = ward.population.draw(prng);
  const ageYears = prng.chance(0.28) ? prng.unit() * 50 : 50 + 24 * (prng.unit() + prng.unit());
  const deceased = drawPerson(prng, culture, drawGender(prng), happenedMs - ageYears * YEAR_MS);
  const relativeBornMs = happenedMs - prng.between(20, 60) * YEAR_MS;
  const relative = drawPerson(prng, culture, drawGender(prng), relativeBornMs, deceased);
  const facility = channel === 'facility' || prng.chance(0.35) ? ward.facility : undefined;
  const address = drawDomesticAddress(prng, prng.pick(ward.villages));
  const circumstances = { address, atMs: happenedMs, asOfField: 'eventDetails.date' };
  const described: Fields = {
    'eventDetails.date': calendarDateOf(happenedMs),
    'deceased.gender': deceased.gender,
    ...(facility === undefined
      ? { 'eventDetails.placeOfDeath': 'USUAL_RESIDENCE', 'eventDetails.deathLocationOther': address }
      : {
          'eventDetails.placeOfDeath': 'HEALTH_FACILITY',
          'eventDetails.deathLocation': facility,
          'eventDetails.timeOfDeath': timeOfDay(happenedMs),
        }),
  };
  const cause = prng.chance(0.6) ? prng.pickByRank(CAUSES) : undefined;
  const illMs = happenedMs - DAY_MS * prng.between(2, 300);
  return {
    ...arrival,
    type: 'death',
    place: facility ?? address.administrativeArea ?? ward.office,
    nameField: 'deceased.name',
    notified: { ...described, 'deceased.name': deceased.name },
    declared: {
      ...described,
      ...describePerson(prng, 'deceased', deceased, circumstances),
      'eventDetails.mannerOfDeath': prng.pickByRank(MANNERS),
      'eventDetails.causeOfDeathEstablished': cause !== undefined,
      ...(cause && {
        'eventDetails.causeOfDeath': cause.label,
        'eventDetails.causeOfDeathCode': cause,
        'eventDetails.illness': { start: calendarDateOf(illMs), end: calendarDateOf(happenedMs) },
        'eventDetails.lastMedicalVisit': prng.pick(TIME_PERIODS),
      }),
      ...describeInformant(prng, relative, prng.pick(RELATIONS), circumstances),
      'documents.proofOfDeath': drawFileOptions(prng, 'deaths', PROOFS_OF_DEATH),
    },
  };
}

const CELEBRANTS = labelledOf('celebrants');
const [PROOFS_OF_MARRIAGE, ENDS_OF_MARRIAGE] = [listOf('proofsOfMarriage'), listOf('endsOfMarriage')];

function drawMarriage(prng: Prng, arrival: Arrival): Vital {
  const { ward, happenedMs } = arrival;
  const culture = ward.population.draw(prng);
  const bridesCulture = prng.chance(MIXED_COUPLES) ? ward.population.draw(prng) : culture;
  const brideBornMs = happenedMs - (18.1 + 12 * (prng.unit() + prng.unit())) * YEAR_MS;
  const bride = drawPerson(prng, bridesCulture, 'female', brideBornMs);
  const groom = drawPerson(prng, culture, 'male', brideBornMs - prng.unit() * 8 * YEAR_MS);
  const address = drawDomesticAddress(prng, prng.pick(ward.villages));
  const circumstances = { address, atMs: happenedMs, asOfField: 'marriage.date' };
  const endedMs = happenedMs - DAY_MS * prng.between(200, 700);
  const previous = {
    'spouse.name': drawPerson(prng, culture, drawGender(prng), brideBornMs).name,
    'marriage.endedBy': prng.pick(ENDS_OF_MARRIAGE),
    'marriage.endDate': calendarDateOf(endedMs),
  };
  const declared: Fields = {
    'marriage.date': calendarDateOf(happenedMs),
    'marriage.time': timeOfDay(prng.between(9 * 4, 17 * 4) * (HOUR_MS / 4)),
    'marriage.placeOfMarriage': ward.office,
    'marriage.celebrant': prng.pickByRank(CELEBRANTS),
    'marriage.prenuptialAgreement': prng.chance(0.1),
    ...describePerson(prng, 'groom', groom, circumstances),
    ...describePerson(prng, 'bride', bride, circumstances),
    ...(prng.chance(0.1) && { 'groom.previousMarriage': { data: previous } }),
    ...(prng.chance(0.1) && { 'bride.previousMarriage': previous }),
    'witnessOne.name': typed(prng, drawPerson(prng, culture, drawGender(prng), brideBornMs).name),
    'witnessTwo.name': typed(prng, drawPerson(prng, culture, drawGender(prng), brideBornMs).name),
    'documents.proofOfMarriage': drawFileOptions(prng, 'marriages', PROOFS_OF_MARRIAGE),
  };
  return { ...arrival, type: 'marriage', place: ward.office, nameField: 'bride.name', notified: {}, declared };
}

export interface World {
  readonly seed: number;
  readonly wards: Weighted<Ward>;
  /** The last millisecond of the data. */
  readonly endMs: number;
}

const DRAW = { birth: drawBirth, death: drawDeath, marriage: drawMarriage };
const TYPES = new Weighted<Vital['type']>([
  [70, 'birth'],
  [20, 'death'],
  [10, 'marriage'],
]);
const CHANNELS = new Weighted<Channel>([
  [32, 'facility'],
  [13, 'field'],
  [37, 'office'],
  [18, 'registry'],
]);
const YEARS = 10;

function drawVital({ seed, wards, endMs }: World, index: number): Vital {
  const prng = new Prng(seed, 'vital', index);
  const type = TYPES.draw(prng);
  const drawn = CHANNELS.draw(prng);
  const channel = type === 'marriage' && drawn !== 'registry' ? 'office' : drawn;
  // More from year to year.
  const day = startOfDayMs(endMs - prng.unit() ** 1.2 * YEARS * YEAR_MS);
  const arrivedMs = day + Math.floor((6 + 12 * prng.unit()) * HOUR_MS);
  // Mostly days, sometimes years.
  const isLate = channel !== 'facility' && type !== 'marriage' && prng.chance(0.05);
  const days = isLate ? prng.between(366, 4 * 365) : 1 + prng.unit() ** 2 * (channel === 'facility' ? 4 : 45);
  return DRAW[type](prng, { ward: wards.draw(prng), channel, arrivedMs, happenedMs: arrivedMs - days * DAY_MS });
}

/** The event, and the record that it duplicates. */
export interface Entry {
  readonly vital: Vital;
  readonly duplicateOf?: PotentialDuplicate;
}

const DUPLICATES = 0.018;
/** The maximum distance of a duplicate. */
const DUPLICATE_REACH = 1_000;
const TYPING_ERRORS_OF_A_DUPLICATE = 0.3;

/** Depends on the seed and the index alone. */
export function entryOf(world: World, index: number): Entry {
  const prng = new Prng(world.seed, 'origin', index);
  const of = Math.max(0, index - prng.between(1, DUPLICATE_REACH));
  const vital = drawVital(world, index);
  if (index === 0 || !prng.chance(DUPLICATES)) return { vital };
  const original = drawVital(world, of);
  const arrivedMs = original.arrivedMs + prng.between(2, 90) * DAY_MS;
  if (arrivedMs > world.endMs) return { vital };
  // Declared again weeks later, with other spellings.
  const respelled = Object.entries(original.declared).map(([field, value]) => [
    field,
    isName(value) ? typed(prng, value, TYPING_ERRORS_OF_A_DUPLICATE) : value,
  ]);
  const declared = Object.fromEntries(respelled) as Fields;
  const { id, trackingId } = recordKeysOf(world.seed, of);
  return { vital: { ...original, channel: 'office', arrivedMs, declared }, duplicateOf: { id, trackingId } };
}

const isName = (value: DeclarationValue): value is PersonName =>
  typeof value === 'object' && 'firstname' in value && 'surname' in value;
