import { DAY_MS } from '../src/kernel/domain/calendar.js';
import { calendarDateOf, timeOfDay, YEAR_MS } from './day.js';
import { drawDomesticAddress, drawFileOptions, drawPerson, GENDERS } from './person.js';
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
const PROOFS = ['MEDICALLY_CERTIFIED_CAUSE_OF_DEATH', 'POLICE_CERTIFICATE', 'BURIAL_RECEIPT', 'ATTESTED_LETTER'];

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
  declared['documents.proofOfDeath'] = drawFileOptions(prng, 'deaths', PROOFS);

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
