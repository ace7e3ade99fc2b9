import { memberPath } from '../../errors/issue-path.js';

interface Level {
  /** The keys seen so far; undefined in an array. */
  readonly keys: Set<string> | undefined;
  /** The key or index of the value that is being read; undefined where a key is expected. */
  member: string | number | undefined;
}

interface Inspection {
  /** How deep objects and arrays are nested. */
  readonly levels: number;
  /** The path of the first key that an object has twice. */
  readonly repeatedKey: string | undefined;
}

/** Looks at a valid JSON text for what parsing it leaves no trace of. */
export function inspectJson(text: string): Inspection {
  const open: Level[] = [];
  let levels = 0;
  let repeatedKey: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const level = open.at(-1);
    switch (text[at]) {
      case '{':
        levels = Math.max(levels, open.push({ keys: new Set(), member: undefined }));
        break;
      case '[':
        levels = Math.max(levels, open.push({ keys: undefined, member: 0 }));
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        if (level !== undefined) level.member = typeof level.member === 'number' ? level.member + 1 : undefined;
        break;
      case '"': {
        const end = endOfString(text, at);
        if (level?.keys !== undefined && level.member === undefined) {
          const key = JSON.parse(text.slice(at, end + 1)) as string;
          level.member = key;
          if (level.keys.has(key)) repeatedKey ??= pathOf(open);
          level.keys.add(key);
        }
        at = end;
        break;
      }
      default:
    }
  }
  return { levels, repeatedKey };
}

/** Where the string that begins at `start` has its closing quote. */
function endOfString(text: string, start: number): number {
  let end = start + 1;
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end;
}

const pathOf = (open: readonly Level[]): string =>
  open.reduce((path, { member }) => (member === undefined ? path : memberPath(path, member)), '');
