/** What one search may ask for (S-4); `limit` is bounded by the configuration, the body's size by the gateway (G-6). */
export const MAX_QUERY_LEVELS = 16;
/** Clauses of a request, on all levels together. */
export const MAX_CLAUSES = 500;
/** How deep maps in `data` may be nested. */
export const MAX_DATA_LEVELS = 16;
/** Keys of all maps in `data` together: without it, one clause could hold as many conditions as a body has room for. */
export const MAX_DATA_KEYS = 2_000;
/** The longest field id. */
export const MAX_FIELD_ID_CODE_POINTS = 256;
/** Terms of one `anyOf`. */
export const MAX_TERMS = 1_000;
/** The longest term of a fuzzy condition. */
export const MAX_FUZZY_CODE_POINTS = 256;
/** Sort keys of a request. */
export const MAX_SORT_KEYS = 20;
/** The page size where none is asked for. */
export const DEFAULT_LIMIT = 100;
