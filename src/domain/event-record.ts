import type { CalendarDate, Instant } from './calendar.js';
import type { Declaration } from './declaration.js';
import type { EventFlag } from './event-flag.js';
import type { EventStatus } from './event-status.js';
import type { UserType } from './user-type.js';
import type { Uuid } from './uuid.js';

/** Interface, Legal-status object: who made a status legal, and when it was accepted. */
export interface LegalStatus {
  readonly createdAt: Instant;
  readonly createdBy: string;
  readonly createdAtLocation: Uuid | null;
  readonly createdByUserType: UserType | null;
  readonly acceptedAt: Instant;
  readonly createdByRole: string | null;
}

/** The legal status of a registration, with its number. */
export interface RegisteredStatus extends LegalStatus {
  readonly registrationNumber: string;
}

/** Another event that may be about the same happening. */
export interface PotentialDuplicate {
  readonly id: Uuid;
  readonly trackingId: string;
}

/** Interface, Event record (EventIndex): what a search returns, every key present, null where there is no value (S-13). */
export interface EventRecord {
  readonly id: Uuid;
  readonly type: string;
  readonly status: EventStatus;
  readonly legalStatuses: { readonly DECLARED: LegalStatus | null; readonly REGISTERED: RegisteredStatus | null };
  readonly createdAt: Instant;
  readonly dateOfEvent: CalendarDate | null;
  readonly placeOfEvent: Uuid | null;
  readonly createdBy: string;
  readonly createdByUserType: UserType | null;
  readonly updatedByUserRole: string | null;
  readonly createdAtLocation: Uuid | null;
  readonly updatedAtLocation: Uuid | null;
  readonly updatedAt: Instant;
  readonly assignedTo: string | null;
  readonly updatedBy: string | null;
  readonly trackingId: string;
  readonly potentialDuplicates: readonly PotentialDuplicate[];
  readonly flags: readonly EventFlag[];
  readonly declaration: Declaration;
}
