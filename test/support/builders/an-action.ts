import type { EventAction } from '../../../src/kernel/domain/event-action.js';
import { aUuid } from './a-uuid.js';
import { anInstant } from './an-instant.js';

/** An accepted CREATE by a person at the office `aUuid(0xa2)` on 2 January 2026, with an id of its own. */
export const anAction = (overrides: Partial<EventAction> = {}): EventAction => {
  const id = overrides.id ?? aUuid();
  return {
    id,
    transactionId: `transaction-of-${id}`,
    type: 'CREATE',
    status: 'Accepted',
    createdAt: anInstant('2026-01-02T08:00:00Z'),
    createdBy: 'declarer',
    createdByUserType: 'user',
    createdByRole: 'FIELD_AGENT',
    createdAtLocation: aUuid(0xa2),
    declaration: {},
    annotation: null,
    originalActionId: null,
    assignedTo: null,
    registrationNumber: null,
    requestId: null,
    duplicates: [],
    customActionType: null,
    content: null,
    ...overrides,
  };
};
