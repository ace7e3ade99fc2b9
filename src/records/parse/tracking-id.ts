import { randomInt } from 'node:crypto';

const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LENGTH = 6;
const ATTEMPTS = 100;

/** A tracking id from a secure source: 6 characters of `0-9A-Z`. The database knows whether it is free. */
export const newTrackingId = (): string =>
  Array.from({ length: LENGTH }, () => CHARACTERS.charAt(randomInt(CHARACTERS.length))).join('');

/**
 * The result of `attempt` for the first new tracking id that is free; `attempt` returns undefined for one that is not
 * (R-6).
 */
export async function withNewTrackingId<T extends object>(
  attempt: (trackingId: string) => Promise<T | undefined>,
): Promise<T> {
  for (let left = ATTEMPTS; left > 0; left--) {
    const result = await attempt(newTrackingId());
    if (result !== undefined) return result;
  }
  throw new Error(`none of ${ATTEMPTS} new tracking ids was free`);
}
