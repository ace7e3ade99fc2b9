import type { EventAction } from '../../../kernel/domain/event-action.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import { ServiceError } from '../../../kernel/errors/service-error.js';
import type { CurrentEvent } from '../../write/current-event.js';
import type { AskedAction } from '../asked-action.js';

/**
 * The latest accepted request, named by its Requested or Accepted action. Throws 404 for others. If an imported record
 * has only the flag, a rejection ends the external request under any id, or nobody could print or revoke the record.
 */
export function requirePendingCorrection({ document, stored }: CurrentEvent, asked: AskedAction): Uuid {
  const { requestId } = asked;
  const ofRequests = document.actions.filter(({ type }) => type === 'REQUEST_CORRECTION');
  const accepted = ofRequests.findLast(({ status }) => status === 'Accepted');
  const isOfImport = accepted === undefined && stored.imported !== undefined;
  if (isOfImport && asked.type === 'REJECT_CORRECTION' && requestId !== null) return requestId;
  if (accepted === undefined || !isNamedBy(accepted, requestId)) {
    throw new ServiceError('NOT_FOUND', `Correction request not found with ID: ${requestId ?? ''}`);
  }
  return accepted.id;
}

const isNamedBy = ({ id, originalActionId }: EventAction, requestId: Uuid | null): boolean =>
  requestId !== null && (requestId === id || requestId === originalActionId);
