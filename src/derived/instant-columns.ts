/** The columns of `event_search` that say when something was done, and are searched by. */
export type InstantColumn = 'created_at' | 'updated_at' | 'registered_accepted_at';
