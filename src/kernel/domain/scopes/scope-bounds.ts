/** Per client or role: a token with more would not fit into request headers. */
export const MOST_SCOPES = 100;
/** Characters of all scopes together. */
export const LONGEST_SCOPES = 6_000;
