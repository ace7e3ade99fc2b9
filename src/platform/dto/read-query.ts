import { ServiceError } from '../../kernel/errors/service-error.js';
import { isObject } from '../../kernel/input/is-object.js';
import { keysOf } from './known-members.js';
import { type Dto, mayRepeat } from './members.js';
import { readDto } from './read-dto.js';

/** As `readDto`. A repeated parameter arrives as a list, so its fault names the repetition instead of a wrong type. */
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
