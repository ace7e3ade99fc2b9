import { isDeepStrictEqual } from 'node:util';

import type { Declaration } from '../../../kernel/domain/declaration.js';
import type { ActionType } from '../../../kernel/domain/event-action.js';
import type { EventRecord, PotentialDuplicate } from '../../../kernel/domain/event-record.js';
import type { CurrentEvent } from '../../write/current-event.js';

/** Searched before the event was locked. */
export interface SearchedDuplicates {
  readonly declaration: Declaration;
  readonly found: readonly PotentialDuplicate[];
}

/**
 * Requests a search outside of the transaction, so that no lock waits for it. The decision then runs again and verifies
 * the declaration.
 */
export class DuplicatesWanted extends Error {
  /** The record after the action; `isSettled`: marked as no duplicate, so that no search is needed. */
  constructor(
    readonly record: EventRecord,
    readonly isSettled: boolean,
  ) {
    super('duplicates have to be searched for');
  }
}

/** Actions that need a search for duplicates (E-9). */
export const searchesDuplicates = (type: ActionType): boolean => type === 'DECLARE' || type === 'REGISTER';

/** None if marked as no duplicate with the same declaration (E-16). Throws `DuplicatesWanted`. */
export function requireDuplicates(
  event: CurrentEvent,
  after: EventRecord,
  searched: SearchedDuplicates | undefined,
): readonly PotentialDuplicate[] {
  const isNone = isSettled(event, after);
  // Without duplicates the action may need more, so that a result with some is requested anew.
  const isStillSo = searched !== undefined && !(isNone && searched.found.length > 0);
  if (isStillSo && isDeepStrictEqual(searched.declaration, after.declaration)) return searched.found;
  throw new DuplicatesWanted(after, isNone);
}

function isSettled(event: CurrentEvent, { declaration }: EventRecord): boolean {
  const marked = event.document.actions.findLastIndex(
    ({ type, status }) => type === 'MARK_AS_NOT_DUPLICATE' && status === 'Accepted',
  );
  const then = marked < 0 ? undefined : event.recordAfter(marked + 1);
  return then !== undefined && isDeepStrictEqual(then.declaration, declaration);
}
