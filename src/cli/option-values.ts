import { InvalidArgumentError } from 'commander';
import { type Instant, parseDateTime } from '../kernel/domain/calendar.js';
import { parseUuid, type Uuid } from '../kernel/domain/uuid.js';
import { NAME } from '../kernel/input/readers.js';

/** In `[least, most]`; otherwise wrong usage. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least || number > most) {
      throw new InvalidArgumentError(`Allowed: a whole number from ${least} to ${most}.`);
    }
    return number;
  };

export function uuid(text: string): Uuid {
  const found = parseUuid(text);
  if (found === undefined) throw new InvalidArgumentError('Allowed: a UUID.');
  return found;
}

/** An actor's name; otherwise wrong usage. */
export function name(text: string): string {
  const found = NAME.read(text);
  if (found === undefined) throw new InvalidArgumentError(`It ${NAME.expected}.`);
  return found;
}

/** A date-time in UTC; otherwise wrong usage. */
export function instant(text: string): Instant {
  const read = parseDateTime(text);
  if (read === undefined) throw new InvalidArgumentError('Allowed: a date-time in UTC such as 2026-01-02T03:04:05Z.');
  return read.instant;
}
