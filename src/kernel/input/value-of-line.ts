import type { BoundedFaults } from './bounded-faults.js';
import { exactJson } from './exact-json.js';
import type { NdjsonLine } from './ndjson-lines.js';
import { repeatedKey } from './repeated-key.js';

/** Records a fault for invalid JSON or a duplicate key, which parsing would ignore. */
export function valueOfLine({ text, fault }: Pick<NdjsonLine, 'text' | 'fault'>, faults: BoundedFaults): unknown {
  if (fault !== undefined) {
    faults.add('', fault);
    return undefined;
  }
  let value: unknown;
  try {
    value = exactJson(text);
  } catch (error) {
    faults.add('', `must be JSON${error instanceof SyntaxError ? ` (${error.message})` : ''}`);
    return undefined;
  }
  const repeated = repeatedKey(text);
  if (repeated !== undefined) faults.add(repeated, 'is given twice');
  return value;
}
