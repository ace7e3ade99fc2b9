import { DAY_MS, HOUR_MS } from '../../domain/calendar.js';
import type { Country } from '../country.js';
import type { Decade } from '../decade.js';
import { Prng } from '../prng.js';
import { Weighted } from '../weighted.js';
import { drawBirth } from './birth.js';
import { drawDeath } from './death.js';
import { drawMarriage } from './marriage.js';
import type { Channel, Vital } from './vital.js';

/** What all records of a data set share. */
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

/** The event of record `index`; a second twin takes everything but the child from record `familyIndex`. */
export function drawVital(world: World, index: number, isTwin: boolean, familyIndex = index): Vital {
  const prng = new Prng(world.seed, 'vital', familyIndex);
  const type = TYPES.draw(prng);
  const channel = CHANNELS[type].draw(prng);
  const arrivedMs = world.decade.drawArrivalMs(new Prng(world.seed, 'arrival', familyIndex));
  const happenedMs = arrivedMs - drawDelayMs(prng, type, channel);
  const arrival = { ward: world.country.wards.draw(prng), channel, arrivedMs, happenedMs };
  // Records of twins follow each other.
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

/** How long after the event somebody comes with it: soon as a rule, sometimes after years. */
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
