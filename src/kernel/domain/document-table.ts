/** A table of the documentation: the heads of its columns, and its rows. */
export interface DocumentTable {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}
