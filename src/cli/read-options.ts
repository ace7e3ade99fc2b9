import type { Dto } from '../platform/dto/members.js';
import { parseUuid, type Uuid } from '../kernel/domain/uuid.js';
import { ServiceError } from '../kernel/errors/service-error.js';
import { failureMessage } from './failure-message.js';
import { WrongUsage } from './wrong-usage.js';

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
