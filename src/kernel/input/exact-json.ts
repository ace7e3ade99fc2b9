import { endOfString } from './checks.js';

/** Many digits, or a small exponent: common to all numbers that a double may not keep. */
const MANY_DIGITS = /[\d.]{16}/;
const SMALL_EXPONENT = /\d[eE]-\d{3}/;

const NUMBER = /-?(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?/y;

/** Parsed as Infinity. */
const NO_NUMBER = '1e999';

/**
 * Throws SyntaxError for invalid JSON. A number that would lose digits becomes infinite, so that readers refuse it
 * (E-3).
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

/** A canonical spelling; undefined for an infinite number. */
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
