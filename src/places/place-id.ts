import type { Uuid } from '../domain/uuid.js';
import { parseUuid } from '../domain/uuid.js';
import { Faults } from '../errors/faults.js';

/** An id in the path of a request. Throws 400 BAD_REQUEST for anything that is not a UUID. */
export function idOf(text: string, parameter = 'id'): Uuid {
  const id = parseUuid(text);
  const faults = new Faults();
  if (id === undefined) faults.add(parameter, 'must be a UUID');
  faults.throwIfAny();
  return id as Uuid;
}
