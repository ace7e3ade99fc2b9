import type { SortValues } from '../../../domain/search-request.js';

/** A row of a page. */
export interface FoundRow {
  readonly body: string;
  readonly sort_values: SortValues;
}
