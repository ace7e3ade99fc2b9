import type { EventDocument } from '../../../src/kernel/domain/event-action.js';
import { aTrackingId } from './a-tracking-id.js';
import { aUuid } from './a-uuid.js';
import { anAction } from './an-action.js';
import { anInstant } from './an-instant.js';

/** A birth of which no more is known than its accepted CREATE, with an id and a tracking id of its own. */
export const anEventDocument = (overrides: Partial<EventDocument> = {}): EventDocument => ({
  id: aUuid(),
  type: 'birth',
  trackingId: aTrackingId(),
  createdAt: anInstant('2026-01-02T08:00:00Z'),
  updatedAt: anInstant('2026-01-02T08:00:00Z'),
  actions: [anAction()],
  ...overrides,
});
