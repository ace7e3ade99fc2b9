import { ServiceError } from '../../kernel/errors/service-error.js';
import { isObject } from '../../kernel/input/is-object.js';
import { keysOf } from './known-members.js';
import { type Dto, mayRepeat } from './members.js';
import { readDto } from './read-dto.js';

/**
 * Reads a query string as `readDto` does. A parameter that is given more than once comes as a list: its sender gave no
 * value of a wrong type, and is told what he did.
 */
export async function readQuery<T extends object>(dto: Dto<T>, query: unknown): Promise<T> {
  try {
    return await readDto(dto, query);
  } catch (error) {
    if (!(error instanceof ServiceError) || !isObject(query)) throw error;
    const repeated = keysOf(dto).filter((key) => Array.isArray(query[key]) && !mayRepeat(dto, key));
    const issues = error.issues.map((issue) => {
      const key = repeated.find((one) => issue.message.startsWith(`${one}: `));
      return key === undefined ? issue : { message: `${key}: is given more than once` };
    });
    throw new ServiceError(error.code, error.message, { issues });
  }
}
