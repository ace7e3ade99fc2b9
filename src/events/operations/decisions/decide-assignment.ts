import { ServiceError } from '../../../kernel/errors/service-error.js';
import { BOUNDS_OF_ENDINGS, boundsFor } from '../../records/history-bounds.js';
import { eventNotFound } from '../../search/record-access.js';
import type { Decision, EventState } from '../../write/command.js';
import { ANY_RECORD_PERMISSION } from './any-record-permission.js';
import type { Act, Acted, Rules } from './decide-action.js';
import { viewOf } from './event-view.js';
import { newAction } from './new-action.js';
import { requireNewContent, requireRoom } from './requirements.js';

/**
 * ASSIGN takes an unassigned event; UNASSIGN gives it back, for others with `record.unassign-others`. No change adds no
 * action.
 */
export function decideAssignment(
  { access }: Pick<Rules, 'access'>,
  { caller, eventId, asked, place }: Act,
): (state: EventState) => Decision<Acted> {
  return ({ event, performed, now }) => {
    if (event === undefined || !access.covers(caller, ANY_RECORD_PERMISSION, () => event.projected)) {
      throw eventNotFound(eventId);
    }
    requireNewContent(performed);
    const { assignedTo } = event.record;
    const isSo = assignedTo === (asked.type === 'ASSIGN' ? caller.subject : null);
    if (performed === 'before' || isSo) {
      return { answer: { view: viewOf(access, caller, event), requested: undefined } };
    }
    if (asked.type === 'ASSIGN' && assignedTo !== null) {
      throw new ServiceError('CONFLICT', 'Event is already assigned to another user');
    }
    const isOthers = asked.type === 'UNASSIGN' && assignedTo !== caller.subject;
    if (isOthers && !access.covers(caller, ['record.unassign-others'], () => event.projected)) {
      throw new ServiceError('FORBIDDEN', 'The event is assigned to another user');
    }
    const to = asked.type === 'ASSIGN' ? { assignedTo: caller.subject } : {};
    const action = newAction(asked.type, { caller, place, transactionId: asked.transactionId, now }, to);
    requireRoom(event, [action], asked.type === 'UNASSIGN' ? BOUNDS_OF_ENDINGS : boundsFor(caller.userType));
    return {
      answer: { view: viewOf(access, caller, event.after([action])), requested: undefined },
      change: { kind: 'append', actions: [action] },
    };
  };
}
