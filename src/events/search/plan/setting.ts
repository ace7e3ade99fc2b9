import type { RowFilter } from '../../../kernel/domain/scopes/caller.js';
import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import type { SearchContext } from '../predicate/search-context.js';

/** For one caller, and as of now. */
export interface Setting {
  readonly context: SearchContext;
  readonly rowFilter: RowFilter;
  readonly cardinalities: Cardinalities;
}
