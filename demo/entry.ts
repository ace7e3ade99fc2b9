import { DAY_MS, HOUR_MS } from '../src/kernel/domain/calendar.js';
import type { DeclarationValue, PotentialDuplicate } from '../src/kernel/domain/event-record.js';
import {
  type Arrival,
  type Channel,
  describePerson,
  drawBirth,
  drawDeath,
  type Fields,
  personFields,
  type Vital,
} from './vital.js';
import type { Country } from './country.js';
import { calendarDateOf, type Decade, timeOfDay, YEAR_MS } from './day.js';
import {
  drawDomesticAddress,
  drawFileOptions,
  drawPerson,
  GENDERS,
  type Person,
  type PersonName,
  typed,
} from './person.js';
import { Prng, Weighted } from './prng.js';
import { recordKeysOf } from './record-keys.js';

const GROOM = personFields('groom');
const BRIDE = personFields('bride');

const QUARTER_OF_AN_HOUR_MS = 900_000;

const MIXED_COUPLES = 0.12;
const MARRIED_BEFORE = 0.1;

const PROOFS = ['NOTICE_OF_INTENTION', 'PROOF_OF_SINGLE_STATUS', 'CONSENT_OF_PARENT'];
const CELEBRANTS = [
  { label: 'Civil registrar', value: 'CIVIL' },
  { label: 'Minister of religion', value: 'RELIGIOUS' },
  { label: 'Traditional authority', value: 'CUSTOMARY' },
];

function drawMarriage(prng: Prng, arrival: Arrival): Vital {
  const { ward, happenedMs } = arrival;
  const culture = ward.population.draw(prng);
  const bridesCulture = prng.chance(MIXED_COUPLES) ? ward.population.draw(prng) : culture;
  const brideBornMs = happenedMs - (18.1 + 12 * (prng.unit() + prng.unit())) * YEAR_MS;
  const bride = drawPerson(prng, bridesCulture, 'female', brideBornMs);
  const groom = drawPerson(prng, culture, 'male', brideBornMs - prng.unit() * 8 * YEAR_MS);
  const home = drawDomesticAddress(prng, ward.villages);
  const bridesHome = prng.chance(0.6) ? home : drawDomesticAddress(prng, ward.villages);
  const day = { atMs: happenedMs, asOfField: 'marriage.date' };

  const declared: Fields = {
    'marriage.date': calendarDateOf(happenedMs),
    'marriage.time': timeOfDay(prng.between(9 * 4, 17 * 4) * QUARTER_OF_AN_HOUR_MS),
    'marriage.placeOfMarriage': ward.wardOffice,
    'marriage.celebrant': prng.pickByRank(CELEBRANTS),
    'marriage.prenuptialAgreement': prng.chance(0.1),
  };
  describePerson(prng, declared, GROOM, groom, { address: home, ...day });
  describePerson(prng, declared, BRIDE, bride, { address: bridesHome, ...day });
  if (prng.chance(MARRIED_BEFORE)) {
    declared['groom.previousMarriage'] = { data: drawPreviousMarriage(prng, groom, happenedMs) };
  }
  if (prng.chance(MARRIED_BEFORE)) declared['bride.previousMarriage'] = drawPreviousMarriage(prng, bride, happenedMs);
  declared['witnessOne.name'] = typed(prng, drawWitness(prng, groom).name);
  declared['witnessTwo.name'] = typed(prng, drawWitness(prng, bride).name);
  declared['documents.proofOfMarriage'] = drawFileOptions(prng, 'marriages', PROOFS);

  return { ...arrival, type: 'marriage', place: ward.wardOffice, nameField: 'bride.name', notified: {}, declared };
}

const drawWitness = (prng: Prng, friend: Person): Person =>
  drawPerson(prng, friend.culture, prng.pick(GENDERS), friend.bornMs);

const drawPreviousMarriage = (
  prng: Prng,
  person: Person,
  marriedMs: number,
): Readonly<Record<string, DeclarationValue>> => ({
  'spouse.name': drawPerson(prng, person.culture, person.gender === 'male' ? 'female' : 'male', person.bornMs).name,
  'marriage.endedBy': prng.pick(['DIVORCE', 'DEATH_OF_SPOUSE', 'ANNULMENT']),
  'marriage.endDate': calendarDateOf(marriedMs - DAY_MS * prng.between(200, 700)),
});

export interface World {
  readonly seed: number;
  readonly country: Country;
  readonly decade: Decade;
}

const TYPES = new Weighted<Vital['type']>([
  [70, 'birth'],
  [20, 'death'],
  [10, 'marriage'],
]);

const CHANNELS: Readonly<Record<Vital['type'], Weighted<Channel>>> = {
  birth: new Weighted([
    [34, 'facility'],
    [12, 'field'],
    [36, 'office'],
    [18, 'registry'],
  ]),
  death: new Weighted([
    [28, 'facility'],
    [16, 'field'],
    [38, 'office'],
    [18, 'registry'],
  ]),
  marriage: new Weighted([
    [60, 'office'],
    [40, 'registry'],
  ]),
};

/** A second twin takes everything but the child from record `familyIndex`. */
function drawVital(world: World, index: number, isTwin: boolean, familyIndex = index): Vital {
  const prng = new Prng(world.seed, 'vital', familyIndex);
  const type = TYPES.draw(prng);
  const channel = CHANNELS[type].draw(prng);
  const arrivedMs = world.decade.drawArrivalMs(new Prng(world.seed, 'arrival', familyIndex));
  const happenedMs = arrivedMs - drawDelayMs(prng, type, channel);
  const arrival = { ward: world.country.wards.draw(prng), channel, arrivedMs, happenedMs };
  // Twins have consecutive records.
  const twin = isTwin ? (index % 2 === 0 ? 'even' : 'odd') : undefined;
  switch (type) {
    case 'birth':
      return drawBirth(prng, new Prng(world.seed, 'child', index), arrival, twin);
    case 'death':
      return drawDeath(prng, arrival);
    case 'marriage':
      return drawMarriage(prng, arrival);
  }
}

/** Mostly short, sometimes years. */
function drawDelayMs(prng: Prng, type: Vital['type'], channel: Channel): number {
  const days = (least: number, most: number): number => (least + prng.unit() ** 2 * (most - least)) * DAY_MS;
  if (channel === 'facility') return 3 * HOUR_MS + days(0, 4);
  if (channel === 'field') return days(1, 25);
  if (type === 'marriage') return days(1, 12);
  const patience = prng.unit();
  if (patience < 0.72) return days(2, 45);
  if (patience < 0.93) return days(45, 360);
  return days(366, type === 'birth' ? 15 * 365 : 4 * 365);
}

const SECOND_TWINS = 0.009;
/** Between the arrivals of two twins. */
const BETWEEN_TWINS_MS = 12 * 60_000;
const DUPLICATES = 0.018;
/** The maximum distance of a duplicate. */
const DUPLICATE_REACH = 1_000;
const TYPING_ERRORS_OF_A_DUPLICATE = 0.3;

/** The event, and the record that it duplicates. */
export interface Entry {
  readonly vital: Vital;
  readonly duplicateOf?: PotentialDuplicate;
}

/** Depends on the seed and the index alone. */
export function entryOf(world: World, index: number): Entry {
  const origin = originOf(world.seed, index);
  if (origin.kind === 'twin') {
    const vital = drawVital(world, index, true, index - 1);
    if (vital.type === 'birth') return { vital: { ...vital, arrivedMs: vital.arrivedMs + BETWEEN_TWINS_MS } };
  }
  if (origin.kind === 'duplicate') {
    const prng = new Prng(world.seed, 'respelling', index);
    const vital = repeated(prng, ownVital(world, origin.of));
    const { id, trackingId } = recordKeysOf(world.seed, origin.of);
    if (vital.arrivedMs <= world.decade.endMs) return { vital, duplicateOf: { id, trackingId } };
  }
  return { vital: ownVital(world, index) };
}

const ownVital = (world: World, index: number): Vital =>
  drawVital(world, index, originOf(world.seed, index + 1).kind === 'twin');

type Origin = { readonly kind: 'own' | 'twin' } | { readonly kind: 'duplicate'; readonly of: number };

/** A record of its own, a twin, or a duplicate. */
function originOf(seed: number, index: number): Origin {
  if (index === 0) return { kind: 'own' };
  const prng = new Prng(seed, 'origin', index);
  const share = prng.unit();
  if (share < SECOND_TWINS && originOf(seed, index - 1).kind === 'own') return { kind: 'twin' };
  if (share > 1 - DUPLICATES) {
    const of = index - prng.between(1, Math.min(index, DUPLICATE_REACH));
    if (originOf(seed, of).kind === 'own') return { kind: 'duplicate', of };
  }
  return { kind: 'own' };
}

/** Declared again weeks later, with other spellings. */
function repeated(prng: Prng, vital: Vital): Vital {
  const respelled = (fields: Fields): Fields =>
    Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [
        field,
        isName(value) ? typed(prng, value, TYPING_ERRORS_OF_A_DUPLICATE) : value,
      ]),
    );
  return {
    ...vital,
    channel: 'office',
    arrivedMs: vital.arrivedMs + prng.between(2, 90) * DAY_MS,
    declared: respelled(vital.declared),
  };
}

const isName = (value: DeclarationValue): value is PersonName =>
  typeof value === 'object' && 'firstname' in value && 'surname' in value;
