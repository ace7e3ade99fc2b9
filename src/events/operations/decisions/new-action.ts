import type { Caller } from '../../../kernel/domain/scopes/caller.js';
import type { Instant } from '../../../kernel/domain/calendar.js';
import type { ActionType, EventAction } from '../../../kernel/domain/event-action.js';
import { newUuid, type Uuid } from '../../../kernel/domain/uuid.js';

export interface Author {
  readonly caller: Pick<Caller, 'subject' | 'userType' | 'role'>;
  readonly place: Uuid | null;
  readonly transactionId: string;
  readonly now: Instant;
}

/** Accepted, without content unless `more` has it. */
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
