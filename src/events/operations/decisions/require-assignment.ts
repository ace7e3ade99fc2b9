import type { Caller } from '../../../kernel/domain/scopes/caller.js';
import type { Somebody } from '../../../kernel/domain/author.js';
import type { ActionType } from '../../../kernel/domain/event-action.js';
import type { EventRecord } from '../../../kernel/domain/event-record.js';
import { invalidInput } from '../../../kernel/errors/invalid-input.js';
import { ServiceError } from '../../../kernel/errors/service-error.js';
import type { AskedAction } from '../asked-action.js';

/** Throws 409 unless a user is the assignee; for a system client, if anybody is. */
export function requireAssignment(
  { subject, userType }: Somebody,
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

/** Users assign only themselves, and unassign to nobody; otherwise throws 400. */
export function requireOwnAssignment(
  { subject }: Pick<Caller, 'subject'>,
  { type, assignedTo }: Pick<AskedAction, 'type' | 'assignedTo'>,
): void {
  if (assignedTo === null || (type === 'ASSIGN' && assignedTo === subject)) return;
  const allowed = type === 'ASSIGN' ? 'must be the caller himself' : 'must be null';
  throw invalidInput(`assignedTo: ${allowed}`);
}

const FREE: ReadonlySet<ActionType> = new Set<ActionType>(['READ', 'ASSIGN', 'UNASSIGN']);
