import { quoted } from '../errors/faults.js';

/** Names the nearest known key, or else all (S-2). */
export function unknownKey(key: string, known: readonly string[]): string {
  const nearest = nearestKey(key, known);
  return nearest === undefined
    ? `unknown key; known keys are ${quoted(known)}`
    : `unknown key; did you mean \`${nearest}\`?`;
}

/** The key fewest edits away, ignoring letter case, or else a prefix or suffix either way (`registrationNumber`). */
function nearestKey(key: string, known: readonly string[]): string | undefined {
  const lower = key.toLowerCase();
  const near = known
    .map((candidate) => ({ candidate, edits: editsBetween(lower, candidate.toLowerCase(), allowance(candidate)) }))
    .filter(({ candidate, edits }) => edits <= allowance(candidate))
    .sort((one, other) => one.edits - other.edits);
  return near[0]?.candidate ?? known.find((candidate) => isEndOf(lower, candidate.toLowerCase()));
}

const allowance = (candidate: string): number => Math.max(1, Math.floor(candidate.length / 3));

function isEndOf(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= 4 && (long.startsWith(short) || long.endsWith(short));
}

/** Edit distance with transposition; anything greater than `most` once past it. */
function editsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}
