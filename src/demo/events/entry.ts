import { DAY_MS } from '../../domain/calendar.js';
import type { DeclarationValue } from '../../domain/record/declaration.js';
import type { PotentialDuplicate } from '../../domain/record/event-record.js';
import { typed, type PersonName } from '../people/person.js';
import { Prng } from '../prng.js';
import { recordKeysOf } from '../record-keys.js';
import { drawVital, type World } from './draw-vital.js';
import type { Fields, Vital } from './vital.js';

const SECOND_TWINS = 0.009;
/** How long the clerk takes for the first of two twins. */
const BETWEEN_TWINS_MS = 12 * 60_000;
const DUPLICATES = 0.018;
/** How far back in the data set a duplicate finds what it repeats. */
const DUPLICATE_REACH = 1_000;
const TYPING_ERRORS_OF_A_DUPLICATE = 0.3;

/** What a record of the data set is about, and the record that it repeats, if it repeats one. */
export interface Entry {
  readonly vital: Vital;
  readonly duplicateOf?: PotentialDuplicate;
}

/** The event of record `index`; it rests on the seed and the index alone, however many records there are. */
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

/** Whether a record stands for itself, for the twin of the record before it, or repeats an earlier one. */
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

/** The same event declared once more, weeks later and spelled by somebody else. */
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
