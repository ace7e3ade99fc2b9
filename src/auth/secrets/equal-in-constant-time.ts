import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';

const KEY = createSecretKey(randomBytes(32));

/** Reveals nothing about either value, including lengths. */
export function equalInConstantTime(left: string | Buffer, right: string | Buffer): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

const digest = (value: string | Buffer): Buffer => createHmac('sha256', KEY).update(value).digest();
