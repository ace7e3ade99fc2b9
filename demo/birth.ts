import { DAY_MS } from '../src/kernel/domain/calendar.js';
import type { DeclarationValue } from '../src/kernel/domain/declaration.js';
import { calendarDateOf, timeOfDay, YEAR_MS } from './day.js';
import type { Culture } from './names.js';
import { drawDomesticAddress, drawFileOptions, drawPerson, type Person, typed } from './person.js';
import type { Prng } from './prng.js';
import {
  type Arrival,
  describeInformant,
  describePerson,
  drawRecency,
  type Fields,
  personFields,
  type Vital,
} from './vital.js';

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
const PROOFS = ['NOTIFICATION_OF_BIRTH', 'PROOF_OF_BIRTH', 'ATTESTED_LETTER'];
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
  declared['documents.proofOfBirth'] = drawFileOptions(family, 'births', PROOFS);

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
