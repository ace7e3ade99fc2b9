import { fieldsOn } from '../../kernel/domain/searched-fields.js';

/** The searchable fields that say when something was done. */
export const INSTANT_FIELDS = fieldsOn('instant');

/** Their columns, in `event_search`. */
export type InstantColumn = (typeof INSTANT_FIELDS)[number]['column'];
