import type { PublishedChange } from '../../../src/events/write/event-publisher.js';
import { aRegisteredStatus } from './a-legal-status.js';
import { aRecord } from './a-record.js';
import { anAction } from './an-action.js';

/** The registration of a birth, of an event of its own. */
export function aPublishedChange(overrides: Partial<PublishedChange> = {}): PublishedChange {
  const registered = aRegisteredStatus();
  return {
    record: aRecord({ status: 'REGISTERED', legalStatuses: { DECLARED: null, REGISTERED: registered } }),
    action: anAction({ type: 'REGISTER', registrationNumber: registered.registrationNumber }),
    ...overrides,
  };
}
