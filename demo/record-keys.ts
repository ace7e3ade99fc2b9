import type { Uuid } from '../src/kernel/domain/uuid.js';
import { drawUuid, Prng } from './prng.js';

/** 36^3: half of a tracking id. */
const HALF = 46_656;
const ROUNDS = 4;

/** All strings of 6 characters of `0-9A-Z`. */
export const MOST_RECORDS = HALF * HALF;

export interface RecordKeys {
  readonly id: Uuid;
  /** 6 characters of `0-9A-Z`. */
  readonly trackingId: string;
  /** 12 characters: year, kind, a serial unique per seed, and a check letter. */
  readonly registrationNumber: (type: string, year: number) => string;
}

/** `index` is below `MOST_RECORDS`; keys are unique per seed. */
export function recordKeysOf(seed: number, index: number): RecordKeys {
  return {
    id: drawUuid(new Prng(seed, 'recordId', index)),
    trackingId: scrambled(seed, index),
    registrationNumber: (type, year) => {
      const serial = scrambled(seed + 1, index);
      const check = String.fromCharCode(65 + ((Number.parseInt(serial, 36) + year) % 26));
      return `${String(year)}${type.slice(0, 1).toUpperCase()}${serial}${check}`;
    },
  };
}

/** A permutation of 0…36^6 - 1 in base 36: a Feistel network whose halves add modulo 36^3. */
function scrambled(seed: number, index: number): string {
  let left = Math.floor(index / HALF);
  let right = index % HALF;
  for (let round = 0; round < ROUNDS; round++) {
    [left, right] = [right, (left + mixed(seed, round, right)) % HALF];
  }
  return (left.toString(36).padStart(3, '0') + right.toString(36).padStart(3, '0')).toUpperCase();
}

function mixed(seed: number, round: number, half: number): number {
  let hash = Math.imul(half ^ Math.imul(seed | 0, 0x9e37_79b1) ^ (round << 20), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
