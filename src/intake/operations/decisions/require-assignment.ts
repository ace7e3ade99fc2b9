import type { Caller } from '../../../access/caller.js';
import type { ActionType } from '../../../domain/record/event-action.js';
import type { EventRecord } from '../../../domain/record/event-record.js';
import { ServiceError } from '../../../errors/service-error.js';

/** A user must have taken the event; a system client must leave alone what somebody has taken. Throws 409. */
export function requireAssignment(
  { subject, userType }: Pick<Caller, 'subject' | 'userType'>,
  type: ActionType,
  { assignedTo }: Pick<EventRecord, 'assignedTo'>,
): void {
  if (FREE.has(type)) return;
  if (userType === 'user' && assignedTo !== subject) {
    throw new ServiceError('CONFLICT', 'You are not assigned to this event');
  }
  if (userType === 'system' && assignedTo !== null) {
    throw new ServiceError('CONFLICT', 'System user can not perform action on assigned event');
  }
}

const FREE: ReadonlySet<ActionType> = new Set<ActionType>(['READ', 'ASSIGN', 'UNASSIGN']);
