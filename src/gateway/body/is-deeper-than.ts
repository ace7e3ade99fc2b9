import { endOfString } from './end-of-string.js';

/** Whether a text nests objects and arrays deeper than `levels`. It need not be valid JSON, and is read no further. */
export function isDeeperThan(levels: number, text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}
