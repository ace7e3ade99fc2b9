import { type FieldKinds, kindsOf } from '../../index/terms/data-aspect.js';
import type { DataPath } from '../../index/values/data-path.js';
import type { Shape } from '../../index/terms/shapes.js';
import { both } from './candidate-terms.js';
import type { SearchContext } from './search-context.js';
import { bothOf, type Candidates, NO_CANDIDATES, unsure } from './candidates.js';

export interface Field {
  readonly path: DataPath;
  readonly shape: Shape;
  readonly kinds: FieldKinds;
}

export const fieldAt = (path: DataPath, { shapes }: SearchContext): Field => ({
  path,
  shape: shapes.field(path),
  kinds: kindsOf(path),
});

/** All parts must hold for one fact: terms do not tell which of several values has them. */
export function ofOneValue(parts: readonly Candidates[], { shape, kinds }: Field): Candidates {
  const [only, ...others] = parts;
  if (only === undefined) return NO_CANDIDATES;
  if (others.length === 0) return only;
  return shape.has('several')
    ? unsure(both(parts.map(({ candidateTerms }) => candidateTerms)))
    : bothOf(parts, kinds.kind('several').ownHash);
}
