import type { NearWord } from './fuzzy-dictionary.js';
import { Alignment, allowedEdits, codePointsOf } from './optimal-string-alignment.js';

const LETTERS = Array.from('0123456789abcdef');
const LENGTHS: ReadonlySet<number> = new Set([4, 8, 12]);
const ALIEN = /[^0-9a-f]/gu;

/**
 * Every word near the searched one (S-11) that can be a part of a UUID: four, eight or twelve hexadecimal digits. They
 * need not be known from records, since each record may have others.
 */
export function uuidWordsNear(word: string): readonly NearWord[] {
  const searched = codePointsOf(word);
  const most = allowedEdits(searched.length);
  if (![...LENGTHS].some((length) => Math.abs(length - searched.length) <= most)) return [];
  let made = new Set([word]);
  for (let edits = 1; edits <= most; edits++) {
    const left = most - edits;
    const next = new Set(made);
    for (const one of made) for (const other of oneEditFrom(one)) if (aliensIn(other) <= left) next.add(other);
    made = next;
  }
  const alignment = new Alignment(searched, most);
  return [...made].flatMap((found) => {
    if (!LENGTHS.has(found.length) || aliensIn(found) > 0) return [];
    const points = codePointsOf(found);
    const edits = alignment.editsTo(points, 0, points.length);
    return edits <= most ? [{ word: found, edits }] : [];
  });
}

/** The words one edit away; inserted characters are hexadecimal digits. */
function* oneEditFrom(word: string): Generator<string> {
  const letters = Array.from(word);
  for (let at = 0; at <= letters.length; at++) {
    const [before, after] = [letters.slice(0, at).join(''), letters.slice(at)];
    const [first, second, ...rest] = after;
    for (const letter of LETTERS) yield before + letter + after.join('');
    if (first === undefined) continue;
    const others = after.slice(1).join('');
    yield before + others;
    for (const letter of LETTERS) yield before + letter + others;
    if (second !== undefined) yield before + second + first + rest.join('');
  }
}

const aliensIn = (word: string): number => (word.match(ALIEN) ?? []).length;
