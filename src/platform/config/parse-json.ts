import type { Faults } from '../../kernel/errors/faults.js';
import { messageOf } from '../../kernel/errors/message-of.js';
import { repeatedKey } from '../../kernel/input/repeated-key.js';

/**
 * The value of a file of JSON; with a fault that says where it breaks off, if it is something else, or which key it has
 * twice: of the two, parsing keeps the last.
 */
export function parseJson(text: string, faults: Faults): unknown {
  try {
    const value: unknown = JSON.parse(text);
    const repeated = repeatedKey(text);
    if (repeated !== undefined) faults.add(repeated, 'is given twice');
    return value;
  } catch (error) {
    faults.add('file', `must be JSON: ${messageOf(error)}`);
    return undefined;
  }
}
