/** The rows of a page, and how many records match in all. */
export interface Found {
  readonly total: number;
  readonly rows: readonly FoundRow[];
}

/** A row of a page. */
export interface FoundRow {
  readonly body: string;
  /** For `readSortValues`. */
  readonly sort_values: string;
}
