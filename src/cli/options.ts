import { InvalidArgumentError, Option } from 'commander';
import { type Instant, parseDateTime } from '../kernel/domain/calendar.js';
import { parseUuid, type Uuid } from '../kernel/domain/uuid.js';
import { ServiceError } from '../kernel/errors/service-error.js';
import { NAME } from '../kernel/input/readers.js';
import type { Dto } from '../platform/dto/members.js';
import { failureMessage } from './failure-message.js';

/** Exit code 2 (P-10). */
export class WrongUsage extends Error {}

/** `--json`: machine-readable output (P-10). */
export const jsonOption = (): Option =>
  new Option('--json', 'print the answer as JSON on standard output').default(false);

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

/** `what` names the id. Throws `WrongUsage`. */
export function uuidOf(text: string, what: 'id' | 'client id' = 'id'): Uuid {
  const uuid = parseUuid(text);
  if (uuid === undefined) throw new WrongUsage(`error: ${JSON.stringify(text)} is no ${what}: a UUID is needed`);
  return uuid;
}

/** Throws `WrongUsage` with all faults, as a request. */
export async function readOptions<T extends object>(dto: Dto<T>, options: object): Promise<T> {
  const { readDto } = await import('../platform/dto/read-dto.js');
  try {
    return await readDto(dto, options);
  } catch (error) {
    throw error instanceof ServiceError ? new WrongUsage(failureMessage(error)) : error;
  }
}
