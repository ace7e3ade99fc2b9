import { ServiceError } from '../../../kernel/errors/service-error.js';
import type { EventState } from '../../write/command.js';

/** Throws 409 for a `transactionId` used for another request. */
export function requireNewContent(performed: EventState['performed']): void {
  if (performed !== 'otherwise') return;
  throw new ServiceError('CONFLICT', 'This transactionId was used before, with other content');
}
