import type { Caller } from '../../../kernel/domain/scopes/caller.js';
import { actorOf } from '../../../platform/audit/audit-entry.js';
import { refusalOf } from '../../../kernel/domain/life-cycle/available-actions.js';
import { LIFE_CYCLE } from '../../../kernel/domain/life-cycle/life-cycle.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import { ServiceError } from '../../../kernel/errors/service-error.js';
import { eventNotFound } from '../../search/record-access.js';
import type { Decision, EventState } from '../../write/command.js';
import type { Rules } from './decide-action.js';
import { requireAssignment } from './requirements.js';

/** Deletes a draft completely; the audit row stays, also for users (E-4). */
export const decideDeletion =
  ({ access }: Pick<Rules, 'access'>, caller: Caller, eventId: Uuid) =>
  ({ event }: EventState): Decision<{ readonly id: Uuid }> => {
    if (event === undefined || !access.covers(caller, LIFE_CYCLE.DELETE.permissions, () => event.projected)) {
      throw eventNotFound(eventId);
    }
    requireAssignment(caller, 'DELETE', event.record);
    const refusal = refusalOf('DELETE', event.record);
    if (refusal !== undefined) throw new ServiceError('CONFLICT', refusal);
    const { type, trackingId } = event.document;
    return {
      answer: { id: eventId },
      change: { kind: 'delete' },
      audit: {
        ...actorOf(caller),
        operation: 'event.actions.delete.request',
        requestData: { eventId, actionType: 'DELETE', eventType: type, trackingId },
        responseSummary: null,
      },
    };
  };
