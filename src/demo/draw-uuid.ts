import type { Uuid } from '../domain/uuid.js';
import type { Prng } from './prng.js';

const HEX = Array.from({ length: 0x100 }, (_, value) => value.toString(16).padStart(2, '0'));
const hex = (byte: number): string => HEX[byte & 0xff] ?? '';

/** A UUID of version 4 that the generator's state alone decides. */
export function drawUuid(prng: Prng): Uuid {
  const a = prng.uint32();
  const b = prng.uint32();
  const c = prng.uint32();
  const d = prng.uint32();
  const timeLow = hex(a >>> 24) + hex(a >>> 16) + hex(a >>> 8) + hex(a);
  const timeMiddle = hex(b >>> 24) + hex(b >>> 16);
  const version = hex(((b >>> 8) & 0x0f) | 0x40) + hex(b);
  const variant = hex(((c >>> 24) & 0x3f) | 0x80) + hex(c >>> 16);
  const node = hex(c >>> 8) + hex(c) + hex(d >>> 24) + hex(d >>> 16) + hex(d >>> 8) + hex(d);
  return (timeLow + '-' + timeMiddle + '-' + version + '-' + variant + '-' + node) as Uuid;
}
