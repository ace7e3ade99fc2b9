/** The rows of a page, and how many records match in all. */
export interface Found {
  readonly total: number;
  readonly rows: readonly FoundRow[];
}

/** A row of a page. */
export interface FoundRow {
  readonly body: string;
  /** A JSON list: `compileSortValues`. */
  readonly sort_values: string;
}

/** A row of a statement that finds page and total: an empty page is one row without a body. */
export type PageRow = { readonly total: string | null } & (FoundRow | { readonly [Key in keyof FoundRow]: null });
