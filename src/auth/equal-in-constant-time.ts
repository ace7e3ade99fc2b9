import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const KEY = randomBytes(32);

/** Whether both are the same, in a time that tells nothing of either, their lengths included. */
export function equalInConstantTime(left: string | Buffer, right: string | Buffer): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

const digest = (value: string | Buffer): Buffer => createHmac('sha256', KEY).update(value).digest();
