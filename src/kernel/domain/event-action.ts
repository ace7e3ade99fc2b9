import type { Instant } from './calendar.js';
import type { Uuid } from './uuid.js';
import type { PotentialDuplicate, UserType } from './event-record.js';

/** The types of actions; `LIFE_CYCLE` defines each (E-2). */
export const ACTION_TYPES = [
  'DELETE',
  'CREATE',
  'NOTIFY',
  'DECLARE',
  'REGISTER',
  'EDIT',
  'DUPLICATE_DETECTED',
  'REJECT',
  'MARK_AS_DUPLICATE',
  'MARK_AS_NOT_DUPLICATE',
  'ARCHIVE',
  'UNARCHIVE',
  'PRINT_CERTIFICATE',
  'REQUEST_CORRECTION',
  'REJECT_CORRECTION',
  'APPROVE_CORRECTION',
  'READ',
  'ASSIGN',
  'UNASSIGN',
  'CUSTOM',
  'REVOKE_REGISTRATION',
  'REINSTATE_REGISTRATION',
  'DEACTIVATE_REGISTRATION',
  'REACTIVATE_REGISTRATION',
] as const;

export type ActionType = (typeof ACTION_TYPES)[number];

export const ACTION_STATUSES = ['Requested', 'Accepted', 'Rejected'] as const;
export type ActionStatus = (typeof ACTION_STATUSES)[number];

/** Null inside an object removes that member. */
export type ChangeValue =
  string | number | boolean | readonly ChangeValue[] | { readonly [key: string]: ChangeValue | null };

/** Null removes the field from the declaration. */
export type DeclarationChange = Readonly<Record<string, ChangeValue | null>>;

/** Append-only list entry. */
export interface EventAction {
  readonly id: Uuid;
  readonly transactionId: string;
  readonly type: ActionType;
  readonly status: ActionStatus;
  readonly createdAt: Instant;
  readonly createdBy: string;
  readonly createdByUserType: UserType | null;
  readonly createdByRole: string | null;
  readonly createdAtLocation: Uuid | null;
  readonly declaration: DeclarationChange;
  readonly annotation: DeclarationChange | null;
  readonly originalActionId: Uuid | null;
  readonly assignedTo: string | null;
  /** REGISTER, once accepted. */
  readonly registrationNumber: string | null;
  /** APPROVE_CORRECTION, REJECT_CORRECTION: the request they answer. */
  readonly requestId: Uuid | null;
  readonly duplicates: readonly PotentialDuplicate[];
  readonly customActionType: string | null;
  readonly content: Readonly<Record<string, unknown>> | null;
}

/** An event with its history: sent by trigger feeds, and the source of a record. */
export interface EventDocument {
  readonly id: Uuid;
  readonly type: string;
  readonly trackingId: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly actions: readonly EventAction[];
}
