import type { Uuid } from '../domain/uuid.js';
import { parseUuid } from '../domain/uuid.js';
import { invalidInput } from '../errors/invalid-input.js';

/** In lower case; `name` is the parameter's. Throws 400 BAD_REQUEST for anything else. */
export function requireUuid(value: unknown, name: string): Uuid {
  const id = parseUuid(value);
  if (id !== undefined) return id;
  throw invalidInput(`${name}: must be a UUID`);
}
