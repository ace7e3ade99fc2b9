import type { Faults } from '../errors/faults.js';

/** The value of a file of JSON; undefined, with a fault that says where it breaks off, if it is something else. */
export function parseJson(text: string, faults: Faults): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    faults.add('file', `must be JSON: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
