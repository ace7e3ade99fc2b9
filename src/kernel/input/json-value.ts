import { exactJson } from './exact-json.js';

/** The value of a JSON text; undefined for any other text. */
export function jsonValue(text: string): unknown {
  try {
    return exactJson(text);
  } catch {
    return undefined;
  }
}
