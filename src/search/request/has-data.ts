import type { Clause } from '../../domain/search-request.js';

/** Whether a condition on the declaration is anywhere in it. */
export const hasData = (clause: Clause): boolean =>
  clause.kind === 'expression'
    ? clause.conditions.some(({ on }) => on === 'data' || on === 'anyField')
    : clause.clauses.some(hasData);
