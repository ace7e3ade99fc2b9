import type { FlagsWanted } from '../predicate/flags.js';
import type { CandidateTest } from './candidate.js';

/** An empty `anyOf` matches nothing (S-6). */
export function testOfFlags({ anyOf: some, noneOf: none = [], allOf: every = [] }: FlagsWanted): CandidateTest {
  const [wanted, unwanted] = [some && new Set(some), new Set(none)];
  return ({ record }) => {
    const flags: readonly string[] = record.flags;
    return (
      (wanted === undefined || flags.some((flag) => wanted.has(flag))) &&
      !flags.some((flag) => unwanted.has(flag)) &&
      every.every((flag) => flags.includes(flag))
    );
  };
}
