import { memberPath } from '../errors/faults.js';
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

/** Undefined for invalid JSON. */
export function jsonValue(text: string): unknown {
  try {
    return exactJson(text);
  } catch {
    return undefined;
  }
}

interface Level {
  /** Undefined in an array. */
  readonly keys: Set<string> | undefined;
  /** The key or index of the current value; undefined where a key is expected. */
  member: string | number | undefined;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const END_BRACKET = 0x5d;
const BRACE = 0x7b;
const END_BRACE = 0x7d;

/** The path of the first duplicate key; parsing would drop it silently. */
export function repeatedKey(text: string): string | undefined {
  const open: Level[] = [];
  let level: Level | undefined;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case BRACE:
        level = { keys: new Set(), member: undefined };
        open.push(level);
        break;
      case BRACKET:
        level = { keys: undefined, member: 0 };
        open.push(level);
        break;
      case END_BRACE:
      case END_BRACKET:
        open.pop();
        level = open.at(-1);
        break;
      case COMMA:
        if (level !== undefined) level.member = typeof level.member === 'number' ? level.member + 1 : undefined;
        break;
      case QUOTE: {
        const end = endOfString(text, at);
        if (level?.keys !== undefined && level.member === undefined) {
          const key = keyIn(text.slice(at + 1, end));
          level.member = key;
          if (level.keys.has(key)) return pathOf(open);
          level.keys.add(key);
        }
        at = end;
        break;
      }
      default:
    }
  }
  return undefined;
}

/** Nearly all keys have no escapes, and need not be parsed. */
const keyIn = (text: string): string => (text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text);

const pathOf = (open: readonly Level[]): string =>
  open.reduce((path, { member }) => (member === undefined ? path : memberPath(path, member)), '');

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
