import type { Instant } from '../../kernel/domain/calendar.js';
import { derivedUuid } from '../../kernel/domain/derived-uuid.js';
import type { EventAction } from '../../kernel/domain/event-action.js';
import type { CurrentEvent } from '../write/current-event.js';
import { standingOf } from './confirmed-actions.js';
import type { AskedConfirmation } from './asked-confirmation.js';

/**
 * The request that an imported record has only the flag of, where the type of action is named: `register:requested`,
 * and nothing here that waits. Rejecting it ends what was requested elsewhere, as nobody could do anything else with the
 * record; what was requested is not known, so that nobody can accept it.
 */
export function unknownRequest(
  { document, record, stored }: CurrentEvent,
  { verb, type, actionId, transactionId }: AskedConfirmation,
  subject: string,
  now: Instant,
): EventAction | undefined {
  if (verb === 'accept' || type === undefined || stored.imported === undefined) return undefined;
  if (!record.flags.includes(`${type.toLowerCase()}:requested`)) return undefined;
  const { actions } = document;
  const isKnown = (id: string): boolean => standingOf(actions, id).kind === 'pending';
  if (actions.some((action) => action.id === actionId || (action.type === type && isKnown(action.id))))
    return undefined;
  return {
    ...{ id: actionId ?? derivedUuid(document.id, `${type} ${subject} ${transactionId}`), transactionId, type },
    ...{ status: 'Requested', createdAt: now, createdBy: subject, createdByUserType: 'system', createdByRole: null },
    ...{ createdAtLocation: null, declaration: {}, annotation: null, originalActionId: null, assignedTo: null },
    ...{ registrationNumber: null, requestId: null, duplicates: [], customActionType: null, content: null },
  };
}
