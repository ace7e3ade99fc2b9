import type { SortField } from '../../../domain/search-request.js';
import type { Sql } from '../../../sql/sql.js';
import { typesSecuring } from '../../request/guard.js';
import { isUnreadOf } from '../readable.js';
import type { SearchContext } from '../search-context.js';

/** The part of a context that says what is hidden. */
export type Hiding = Pick<SearchContext, 'guard' | 'callerSubject'>;

/**
 * Whether the record of a row has a value in the field that its caller may not read: his results must not be sorted by
 * it (E-10). Undefined if no record has. Never NULL.
 */
export function isHidden(field: SortField, { guard, callerSubject }: Hiding): Sql | undefined {
  const types = guard === undefined ? [] : typesSecuring(field, guard.secured);
  return guard === undefined || types.length === 0 ? undefined : isUnreadOf(types, guard, callerSubject);
}
