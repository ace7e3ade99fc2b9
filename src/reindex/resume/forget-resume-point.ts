/** Of an interrupted run: its tables are of no use then. */
export const FORGET_RESUME_POINT = 'drop table if exists reindex_state';
