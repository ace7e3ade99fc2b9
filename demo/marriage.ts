import { DAY_MS } from '../src/kernel/domain/calendar.js';
import type { DeclarationValue } from '../src/kernel/domain/declaration.js';
import { calendarDateOf, timeOfDay, YEAR_MS } from './day.js';
import { drawDomesticAddress, drawFileOptions, drawPerson, GENDERS, type Person, typed } from './person.js';
import type { Prng } from './prng.js';
import { type Arrival, describePerson, type Fields, personFields, type Vital } from './vital.js';

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

export function drawMarriage(prng: Prng, arrival: Arrival): Vital {
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
