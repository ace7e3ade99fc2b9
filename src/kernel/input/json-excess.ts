import { endOfString } from './checks.js';

export interface JsonBounds {
  readonly levels: number;
  /** Members and items at all levels together; an empty object or list counts as two. */
  readonly values: number;
}

/**
 * Found before parsing, since brackets, commas and keys cost more to parse than to send. Accepts invalid JSON;
 * stops at the first excess.
 */
export function jsonExcess(text: string, most: JsonBounds): keyof JsonBounds | undefined {
  let [depth, values] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === ',') values += 1;
    else if (char === '{' || char === '[') {
      // The first item, or an empty container's own.
      values += 1;
      depth += 1;
      if (depth > most.levels) return 'levels';
    } else if (char === '}' || char === ']') depth -= 1;
    if (values > most.values) return 'values';
  }
  return undefined;
}
