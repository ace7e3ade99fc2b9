import type { RowFilter } from '../../../kernel/domain/scopes/caller.js';
import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import type { SearchContext } from '../predicate/search-context.js';

export interface Setting {
  readonly context: SearchContext;
  readonly rowFilter: RowFilter;
  readonly cardinalities: Cardinalities;
}
