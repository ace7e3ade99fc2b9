/** How many scopes a client or a role has at most: a token with more would not fit into the headers of a request. */
export const MOST_SCOPES = 100;
/** Their characters together. */
export const LONGEST_SCOPES = 6_000;
