import type { Instant } from '../src/kernel/domain/calendar.js';
import type { ActionStatus, ActionType, DeclarationChange } from '../src/kernel/domain/event-action.js';
import type {
  EventRecord,
  LegalStatus,
  PotentialDuplicate,
  RegisteredStatus,
  UserType,
} from '../src/kernel/domain/event-record.js';
import type { Uuid } from '../src/kernel/domain/uuid.js';

/** As an import line: keys without a value are absent. */
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

/** As an import line. */
export interface DemoDocument {
  readonly id: Uuid;
  readonly type: string;
  readonly trackingId: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly actions: readonly DemoAction[];
}

/** As in an import line: the role is absent, never null. */
export type DemoLegalStatus<S extends LegalStatus> = Omit<S, 'createdByRole'> & { readonly createdByRole?: string };

type Nullable = { [Key in keyof EventRecord]: null extends EventRecord[Key] ? Key : never }[keyof EventRecord];

/** Without history, as an import line; optional keys may be null or absent. */
export interface DemoRecord
  extends Omit<EventRecord, Nullable | 'legalStatuses'>, Partial<Pick<EventRecord, Nullable>> {
  readonly legalStatuses: {
    readonly DECLARED: DemoLegalStatus<LegalStatus> | null;
    readonly REGISTERED: DemoLegalStatus<RegisteredStatus> | null;
  };
}

/** As `matricula import records` takes it. */
export type DemoLine = DemoDocument | DemoRecord;
