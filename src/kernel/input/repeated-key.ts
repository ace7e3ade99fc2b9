import { memberPath } from '../errors/faults.js';
import { endOfString } from './checks.js';

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
