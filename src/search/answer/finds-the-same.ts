import { isDeepStrictEqual } from 'node:util';

import type { SearchPlan } from '../plan/plan.js';
import { compileMatches } from '../statement/compile-matches.js';

/** Whether two plans of one search look for the same: no word or kind of value that one alone knows matters to it. */
export const findsTheSame = ({ search, cardinalities }: SearchPlan, other: SearchPlan): boolean =>
  isDeepStrictEqual(
    compileMatches(search, cardinalities).toQuery(),
    compileMatches(other.search, cardinalities).toQuery(),
  );
