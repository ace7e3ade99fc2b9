import { fieldsOn } from '../domain/record/searched-fields.js';

/** The fields that say when something was done, and are searched by. */
export const INSTANT_FIELDS = fieldsOn('instant');

/** Their columns, in `event_search`. */
export type InstantColumn = (typeof INSTANT_FIELDS)[number]['column'];
