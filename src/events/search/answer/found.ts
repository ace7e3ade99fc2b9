export interface Found {
  readonly total: number;
  readonly rows: readonly FoundRow[];
}

export interface FoundRow {
  readonly body: string;
  /** A JSON list: see `compileSortValues`. */
  readonly sort_values: string;
}

/** An empty page is one row without a body. */
export type PageRow = { readonly total: string } & (FoundRow | { readonly [Key in keyof FoundRow]: null });
