export interface DocumentTable {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}
