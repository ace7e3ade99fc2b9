import { isComparedExactly } from '../../index/near-words/compared-exactly.js';
import { Alignment, allowedEdits, codePointsOf } from '../../index/near-words/optimal-string-alignment.js';
import type { Fact } from '../../index/values/facts.js';
import { cutsOf, fewestRuns, mapCuts, runsIn } from '../../index/values/joined-words.js';
import { isFindable } from '../../index/terms/findable-word.js';

interface Searched {
  readonly run: string;
  readonly alignment: Alignment;
}

/** Joined cuts hold only for a name, or a part of one addressed by its member. */
const isName = ({ j }: Fact): boolean => j !== undefined;

const wordsIn = ({ w, q }: Fact): readonly string[] => w ?? q ?? [];

/**
 * Each word of the term is near a word, or is a join, of a fact; for a name, each run of some cut (S-11). Undefined for
 * a term without words.
 */
export function nearTest(term: string): ((fact: Fact) => boolean) | undefined {
  const { words, joined } = mapCuts(cutsOf(term), searchedFor);
  if (words.length === 0) return undefined;
  return (fact) => {
    const holds = (runs: readonly Searched[]): boolean => runs.every((run) => isFound(run, fact));
    return holds(words) || (isName(fact) && joined.some(holds));
  };
}

/**
 * Each word of the shorter side is near a word of the other (E-9); with equal counts, either direction suffices. The
 * term's words count as searched both times. A name has as many words as its cut has runs.
 */
export function nearEitherWay(term: string): (fact: Fact) => boolean {
  const { words: searched, joined } = mapCuts(cutsOf(term), searchedFor);
  const allRuns = runsIn({ words: searched, joined });
  return (fact) => {
    const words = [...new Set(wordsIn(fact))];
    if (words.length === 0 || searched.length === 0) return false;
    const isIn = (runs: readonly Searched[]): boolean =>
      runs.length <= words.length && runs.every((run) => isFound(run, fact));
    if (isIn(searched)) return true;
    const runs = isName(fact) ? allRuns : searched;
    const finds = (word: string): boolean => runs.some(({ alignment }) => isNear(word, alignment));
    if (words.length <= searched.length && words.every(finds)) return true;
    if (!isName(fact)) return false;
    const isRun = (join: string): boolean => runs.some(({ run }) => run === join);
    return (
      joined.some(isIn) || fewestRunsIn(fact, (run, isJoin) => (isJoin ? isRun(run) : finds(run))) <= searched.length
    );
  };
}

const fewestRunsIn = ({ k = '' }: Fact, holds: (run: string, isJoin: boolean) => boolean): number =>
  k
    .split('\t')
    .map((part) => fewestRuns(part === '' ? [] : part.split(' '), holds))
    .reduce((sum, runs) => sum + runs, 0);

function searchedFor(run: string): Searched {
  const points = codePointsOf(run);
  return { run, alignment: new Alignment(points, isComparedExactly(run) ? 0 : allowedEdits(points.length)) };
}

const isFound = ({ run, alignment }: Searched, fact: Fact): boolean =>
  wordsIn(fact).some((word) => isNear(word, alignment)) || fact.j?.includes(run) === true;

function isNear(word: string, alignment: Alignment): boolean {
  const edits = alignment.editsToWord(word);
  return edits <= alignment.most && (edits === 0 || !isComparedExactly(word)) && isFindable(word);
}
