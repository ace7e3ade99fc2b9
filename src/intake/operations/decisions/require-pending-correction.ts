import type { EventAction } from '../../../domain/record/event-action.js';
import type { Uuid } from '../../../domain/uuid.js';
import { ServiceError } from '../../../errors/service-error.js';
import type { CurrentEvent } from '../../writer/current-event.js';
import type { AskedAction } from '../requests/asked-action.js';

/**
 * The id of the correction request that is answered: the latest accepted one, named by the id of its Requested or of
 * its Accepted action. Throws 404 for any other id.
 */
export function requirePendingCorrection({ document }: CurrentEvent, { requestId }: AskedAction): Uuid {
  const ofRequests = document.actions.filter(({ type }) => type === 'REQUEST_CORRECTION');
  const accepted = ofRequests.findLast(({ status }) => status === 'Accepted');
  if (accepted === undefined || !isNamedBy(accepted, requestId)) {
    throw new ServiceError('NOT_FOUND', `Correction request not found with ID: ${requestId ?? ''}`);
  }
  return accepted.id;
}

const isNamedBy = ({ id, originalActionId }: EventAction, requestId: Uuid | null): boolean =>
  requestId !== null && (requestId === id || requestId === originalActionId);
