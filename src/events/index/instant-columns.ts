import { fieldsOn } from '../../kernel/domain/searched-fields.js';

export const INSTANT_FIELDS = fieldsOn('instant');

/** Columns of `event_search`. */
export type InstantColumn = (typeof INSTANT_FIELDS)[number]['column'];
