import type { FieldKinds } from '../../index/terms/terms.js';
import type { DataPath } from '../../index/values/data-path.js';
import type { Shape } from '../../index/terms/shapes.js';
import { both } from './candidate-terms.js';
import type { SearchContext } from './search-context.js';
import { bothOf, type Candidates, coarse, NO_CANDIDATES } from './candidates.js';

export interface Field {
  readonly path: DataPath;
  readonly shape: Shape;
  readonly kinds: FieldKinds;
}

export const fieldAt = (path: DataPath, { shapes, terms }: SearchContext): Field => ({
  path,
  shape: shapes.field(path),
  kinds: terms.field(path),
});

/** All parts must hold for one fact: terms do not tell which of several values has them. */
export function ofOneValue(parts: readonly Candidates[], { shape }: Field): Candidates {
  const [only, ...others] = parts;
  if (only === undefined) return NO_CANDIDATES;
  if (others.length === 0) return only;
  return shape.has('several') ? coarse(both(parts.map(({ candidateTerms }) => candidateTerms))) : bothOf(parts);
}
