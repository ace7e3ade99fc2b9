import type { LegalStatus, RegisteredStatus } from '../../../src/kernel/domain/event-record.js';
import { aUuid } from './a-uuid.js';
import { anInstant } from './an-instant.js';

/** `legalStatuses.DECLARED`, declared and accepted on 2 January 2026. */
export const aLegalStatus = (overrides: Partial<LegalStatus> = {}): LegalStatus => ({
  createdAt: anInstant('2026-01-02T09:00:00Z'),
  createdBy: 'declarer',
  createdAtLocation: aUuid(0xa2),
  createdByUserType: 'user',
  acceptedAt: anInstant('2026-01-02T09:00:01Z'),
  createdByRole: 'FIELD_AGENT',
  ...overrides,
});

let registered = 0;

/** `legalStatuses.REGISTERED`, registered on 3 January 2026 under a number that no other call yields. */
export const aRegisteredStatus = (overrides: Partial<RegisteredStatus> = {}): RegisteredStatus => ({
  createdAt: anInstant('2026-01-03T09:00:00Z'),
  createdBy: 'registrar',
  createdAtLocation: aUuid(0xa2),
  createdByUserType: 'user',
  acceptedAt: anInstant('2026-01-03T09:00:01Z'),
  createdByRole: 'LOCAL_REGISTRAR',
  registrationNumber: `2026B${String(++registered).padStart(7, '0')}`,
  ...overrides,
});
