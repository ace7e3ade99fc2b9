import type { Caller } from '../../../access/caller.js';
import type { Instant } from '../../../domain/calendar.js';
import type { ActionType, EventAction } from '../../../domain/record/event-action.js';
import type { Uuid } from '../../../domain/uuid.js';
import { newUuid } from '../../../domain/uuid.js';

/** Who acts, where, when and in which request. */
export interface Author {
  readonly caller: Pick<Caller, 'subject' | 'userType' | 'role'>;
  readonly place: Uuid | null;
  readonly transactionId: string;
  readonly now: Instant;
}

/** An accepted action without content, or what `more` says. */
export const newAction = (
  type: ActionType,
  { caller, place, transactionId, now }: Author,
  more: Partial<EventAction> = {},
): EventAction => ({
  id: newUuid(),
  transactionId,
  type,
  status: 'Accepted',
  createdAt: now,
  createdBy: caller.subject,
  createdByUserType: caller.userType,
  createdByRole: caller.role ?? null,
  createdAtLocation: place,
  declaration: {},
  annotation: null,
  originalActionId: null,
  assignedTo: null,
  registrationNumber: null,
  requestId: null,
  duplicates: [],
  customActionType: null,
  content: null,
  ...more,
});
