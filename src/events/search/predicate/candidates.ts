import type { Term } from '../../index/terms/term-kind.js';
import type { DataPath } from '../../index/values/data-path.js';
import { both, type CandidateTerms, either, isNothing, NOTHING, someOf } from './candidate-terms.js';

export interface Candidates {
  /** Every match has these. */
  readonly candidateTerms: CandidateTerms;
  /** Only matches have these. */
  readonly exact: CandidateTerms;
  /** Every match that `exact` does not find has these. */
  readonly coarse: CandidateTerms;
  /** Whether `exact` is equivalent to `candidateTerms`. */
  readonly decides: boolean;
  /** The fields of matches that are not exact; absent: any. */
  readonly mayMatchIn?: readonly DataPath[];
}

export const NO_CANDIDATES: Candidates = { candidateTerms: NOTHING, exact: NOTHING, coarse: NOTHING, decides: true };

/** For a kind of term that expresses the condition. Uncountable ones are rechecked on the record (S-5). */
export function oneOf(terms: readonly Term[]): Candidates {
  const hashes = (isCountable: boolean): CandidateTerms =>
    someOf(terms.flatMap((term) => (term.isCountable === isCountable ? [term.hash] : [])));
  const coarse = hashes(false);
  return {
    candidateTerms: someOf(terms.map(({ hash }) => hash)),
    exact: hashes(true),
    coarse,
    decides: isNothing(coarse),
  };
}

export const coarse = (candidateTerms: CandidateTerms): Candidates => ({
  candidateTerms,
  exact: NOTHING,
  coarse: candidateTerms,
  decides: isNothing(candidateTerms),
});

export const coarseOneOf = (terms: readonly Term[]): Candidates => coarse(oneOf(terms).candidateTerms);

export const ANY_RECORD: Candidates = coarse({ kind: 'none' });

/** Undefined `terms` are too many to be named. */
export const oneOfOrAny = (terms: readonly Term[] | undefined): Candidates =>
  terms === undefined ? ANY_RECORD : oneOf(terms);

export const eitherOf = (alternatives: readonly Candidates[]): Candidates => ({
  candidateTerms: either(alternatives.map(({ candidateTerms }) => candidateTerms)),
  exact: either(alternatives.map(({ exact }) => exact)),
  coarse: either(alternatives.map((one) => one.coarse)),
  decides: alternatives.every(({ decides }) => decides),
});

export const inSomeField = (fields: ReadonlyMap<DataPath, Candidates>): Candidates => ({
  ...eitherOf([...fields.values()]),
  mayMatchIn: [...fields].filter(([, { decides }]) => !decides).map(([path]) => path),
});

export function bothOf(parts: readonly Candidates[]): Candidates {
  if (parts.some(({ candidateTerms }) => isNothing(candidateTerms))) return NO_CANDIDATES;
  const candidateTerms = both(parts.map((part) => part.candidateTerms));
  const decides = parts.every((part) => part.decides);
  return {
    candidateTerms,
    exact: parts.some((part) => isNothing(part.exact)) ? NOTHING : both(parts.map((part) => part.exact)),
    coarse: decides ? NOTHING : candidateTerms,
    decides,
  };
}
