import { endOfString } from './end-of-string.js';

/** What every number has that a double may not keep: enough digits, or a small exponent. Texts may have it too. */
const MANY_DIGITS = /[\d.]{16}/;
const SMALL_EXPONENT = /\d[eE]-\d{3}/;

const NUMBER = /-?(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?/y;

/** JSON for a number that is none: parsing makes it infinite. */
const NO_NUMBER = '1e999';

/**
 * The value of a JSON text; throws SyntaxError for any other text. A number that would lose digits is infinite: whatever
 * reads the value refuses it at its place, as it does one that is too large (E-3).
 */
export function exactJson(text: string): unknown {
  return JSON.parse(MANY_DIGITS.test(text) || SMALL_EXPONENT.test(text) ? withoutLossy(text) : text);
}

function withoutLossy(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') {
      at = endOfString(text, at);
      continue;
    }
    NUMBER.lastIndex = at;
    const token = NUMBER.exec(text)?.[0];
    if (token === undefined) continue;
    if (decimal(token) !== decimal(String(Number(token)))) {
      parts.push(text.slice(from, at), NO_NUMBER);
      from = at + token.length;
    }
    at += token.length - 1;
  }
  return parts.join('') + text.slice(from);
}

/** One spelling of each number; undefined for an infinite one. */
function decimal(token: string): string | undefined {
  NUMBER.lastIndex = 0;
  const [, whole, fraction = '', exponent = '0'] = NUMBER.exec(token) ?? [];
  if (whole === undefined) return undefined;
  const digits = `${whole}${fraction}`;
  let [first, end] = [0, digits.length];
  while (digits[first] === '0') first += 1;
  while (end > first && digits[end - 1] === '0') end -= 1;
  if (first === end) return '0';
  return `${digits.slice(first, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
