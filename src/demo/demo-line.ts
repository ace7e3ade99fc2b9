import type { CalendarDate, Instant } from '../domain/calendar.js';
import type { Declaration } from '../domain/declaration.js';
import type { ActionStatus, ActionType, DeclarationChange } from '../domain/event-action.js';
import type { LegalStatus, PotentialDuplicate, RegisteredStatus } from '../domain/event-record.js';
import type { EventStatus } from '../domain/event-status.js';
import type { UserType } from '../domain/user-type.js';
import type { Uuid } from '../domain/uuid.js';

/** An action as an import line spells it: a key without a value is left out. */
export interface DemoAction {
  readonly id: Uuid;
  readonly transactionId: Uuid;
  readonly type: ActionType;
  readonly status: ActionStatus;
  readonly createdAt: Instant;
  readonly createdBy: Uuid;
  readonly createdByUserType: UserType;
  readonly createdByRole?: string;
  readonly createdAtLocation: Uuid;
  readonly declaration: DeclarationChange;
  readonly annotation?: DeclarationChange;
  readonly originalActionId?: Uuid;
  readonly assignedTo?: Uuid;
  readonly registrationNumber?: string;
  readonly requestId?: Uuid;
  readonly customActionType?: string;
  readonly content?: {
    readonly reason?: string;
    readonly comment?: string;
    readonly templateId?: string;
    readonly duplicates?: readonly PotentialDuplicate[];
    readonly duplicateOf?: Uuid;
  };
}

/** An event with its history, as an import line spells it. */
export interface DemoDocument {
  readonly id: Uuid;
  readonly type: string;
  readonly trackingId: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly actions: readonly DemoAction[];
}

/** A legal status as an import line spells it: the role is a text or absent, never null. */
export type DemoLegalStatus<S extends LegalStatus> = Omit<S, 'createdByRole'> & { readonly createdByRole?: string };

/** A record without a history, as an import line spells it: an optional key may be null or absent. */
export interface DemoRecord {
  readonly id: Uuid;
  readonly type: string;
  readonly status: EventStatus;
  readonly legalStatuses: {
    readonly DECLARED: DemoLegalStatus<LegalStatus> | null;
    readonly REGISTERED: DemoLegalStatus<RegisteredStatus> | null;
  };
  readonly createdAt: Instant;
  readonly dateOfEvent?: CalendarDate | null;
  readonly placeOfEvent?: Uuid | null;
  readonly createdBy: Uuid;
  readonly createdByUserType?: UserType | null;
  readonly updatedByUserRole?: string | null;
  readonly createdAtLocation?: Uuid | null;
  readonly updatedAtLocation?: Uuid | null;
  readonly updatedAt: Instant;
  readonly assignedTo?: Uuid | null;
  readonly updatedBy?: Uuid | null;
  readonly trackingId: string;
  readonly potentialDuplicates: readonly PotentialDuplicate[];
  readonly flags: readonly string[];
  readonly declaration: Declaration;
}

/** One line of the demonstration country, as `matricula import records` takes it. */
export type DemoLine = DemoDocument | DemoRecord;
