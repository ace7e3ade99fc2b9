import { endOfString } from './end-of-string.js';

/** What a JSON text may have. */
export interface JsonBounds {
  readonly levels: number;
  /** Members of objects and items of lists, at all levels together; one that has none counts as two. */
  readonly values: number;
}

/**
 * What a JSON text has more of than it may, told before it is parsed: brackets, commas and keys are cheap to send, but
 * not to parse. It need not be valid JSON; reading stops where there is too much.
 */
export function jsonExcess(text: string, most: JsonBounds): keyof JsonBounds | undefined {
  let [depth, values] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === ',') values += 1;
    else if (char === '{' || char === '[') {
      // The first that is inside; where there is none, it counts all the same.
      values += 1;
      depth += 1;
      if (depth > most.levels) return 'levels';
    } else if (char === '}' || char === ']') depth -= 1;
    if (values > most.values) return 'values';
  }
  return undefined;
}
