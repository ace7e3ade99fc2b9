import type { EventRecord } from '../../../src/kernel/domain/event-record.js';
import { aCalendarDate } from './a-calendar-date.js';
import { aLegalStatus } from './a-legal-status.js';
import { aTrackingId } from './a-tracking-id.js';
import { aUuid } from './a-uuid.js';
import { anInstant } from './an-instant.js';

/** A birth declared at the office `aUuid(0xa2)` on 2 January 2026, with an id and a tracking id of its own. */
export const aRecord = (overrides: Partial<EventRecord> = {}): EventRecord => ({
  id: aUuid(),
  type: 'birth',
  status: 'DECLARED',
  legalStatuses: { DECLARED: aLegalStatus(), REGISTERED: null },
  createdAt: anInstant('2026-01-02T08:00:00Z'),
  dateOfEvent: aCalendarDate('2025-12-24'),
  placeOfEvent: aUuid(0xa3),
  createdBy: 'declarer',
  createdByUserType: 'user',
  updatedByUserRole: 'FIELD_AGENT',
  createdAtLocation: aUuid(0xa2),
  updatedAtLocation: aUuid(0xa2),
  updatedAt: anInstant('2026-01-02T09:00:01Z'),
  assignedTo: null,
  updatedBy: 'declarer',
  trackingId: aTrackingId(),
  potentialDuplicates: [],
  flags: [],
  declaration: {
    'child.name': { firstname: 'Chilufya', surname: 'Musonda' },
    'child.dob': '2025-12-24',
    'child.birthLocationId': aUuid(0xa3),
  },
  ...overrides,
});
