import type { Faults } from '../../kernel/errors/faults.js';
import { messageOf } from '../../kernel/errors/service-error.js';
import { repeatedKey } from '../../kernel/input/json.js';

/** Records a fault for the place of a syntax error, or for a duplicate key, of which parsing would keep the last. */
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
