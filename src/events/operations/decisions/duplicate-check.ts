import { isDeepStrictEqual } from 'node:util';

import type { Declaration } from '../../../kernel/domain/declaration.js';
import type { ActionType } from '../../../kernel/domain/event-action.js';
import type { EventRecord, PotentialDuplicate } from '../../../kernel/domain/event-record.js';
import type { CurrentEvent } from '../../write/current-event.js';

/** What was found for a declaration, before the event was locked. */
export interface SearchedDuplicates {
  readonly declaration: Declaration;
  readonly found: readonly PotentialDuplicate[];
}

/**
 * Thrown by a decision that depends on duplicates: they must be searched for first, outside of the transaction, so that
 * no lock waits for a search. The decision is then asked again, and looks whether the declaration is still the same.
 */
export class DuplicatesWanted extends Error {
  /**
   * The record as it would be after the action; `isSettled`: somebody has said that it is no duplicate, and nothing
   * need be searched for.
   */
  constructor(
    readonly record: EventRecord,
    readonly isSettled: boolean,
  ) {
    super('duplicates have to be searched for');
  }
}

/** The actions before which, or with which, duplicates are searched for (E-9). */
export const searchesDuplicates = (type: ActionType): boolean => type === 'DECLARE' || type === 'REGISTER';

/**
 * The potential duplicates of a record as it would be after the action; none if somebody has said that it is no
 * duplicate, and its declaration is still the same (E-16). Throws `DuplicatesWanted`.
 */
export function requireDuplicates(
  event: CurrentEvent,
  after: EventRecord,
  searched: SearchedDuplicates | undefined,
): readonly PotentialDuplicate[] {
  const isNone = isSettled(event, after);
  // Without duplicates the action may need what it does not need with them: whoever found some asks anew.
  const isStillSo = searched !== undefined && !(isNone && searched.found.length > 0);
  if (isStillSo && isDeepStrictEqual(searched.declaration, after.declaration)) return searched.found;
  throw new DuplicatesWanted(after, isNone);
}

/** Whether the record was marked as no duplicate with this very declaration. */
function isSettled(event: CurrentEvent, { declaration }: EventRecord): boolean {
  const marked = event.document.actions.findLastIndex(
    ({ type, status }) => type === 'MARK_AS_NOT_DUPLICATE' && status === 'Accepted',
  );
  const then = marked < 0 ? undefined : event.recordAfter(marked + 1);
  return then !== undefined && isDeepStrictEqual(then.declaration, declaration);
}
