/** Forgets how far a run came; its tables are of no use then. */
export const FORGET_RESUME_POINT = 'drop table if exists reindex_state';
