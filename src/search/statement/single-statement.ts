import type { Cardinalities } from '../../derived/statistics/cardinalities.js';
import type { Sql } from '../../sql/sql.js';
import type { CompiledSearch } from '../predicate/compile-search.js';
import { compileMatches } from './compile-matches.js';
import { compilePageAndTotal } from './page.js';

/** Page and total of a search with few matches: rows as described for `compilePageAndTotal`. */
export const compileSingleStatement = (search: CompiledSearch, cardinalities: Cardinalities): Sql =>
  compilePageAndTotal(compileMatches(search, cardinalities), search.proof, search.page, search.shapesAsRead?.unchanged);
