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

/** A row of a statement that finds page and total: an empty page is one row without a body. */
export type PageRow = { readonly total: string | null } & {
  readonly [Key in keyof FoundRow]: FoundRow[Key] | null;
};

/** Whether the row has a record. */
export const isFound = <Row extends PageRow>(row: Row): row is Row & FoundRow => row.body !== null;
