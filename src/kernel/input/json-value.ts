import { exactJson } from './exact-json.js';

/** Undefined for invalid JSON. */
export function jsonValue(text: string): unknown {
  try {
    return exactJson(text);
  } catch {
    return undefined;
  }
}
