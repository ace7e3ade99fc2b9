import type { InherentFlag } from '../event-flag.js';
import type { LegalStatuses } from '../event-record.js';
import type { EventStatus } from '../event-status.js';
import type { UserType } from '../user-type.js';

/** The permissions that allow actions. */
export const ACTION_PERMISSIONS = [
  'record.read',
  'record.create',
  'record.notify',
  'record.declare',
  'record.edit',
  'record.register',
  'record.reject',
  'record.archive',
  'record.unarchive',
  'record.review-duplicates',
  'record.print-certified-copies',
  'record.request-correction',
  'record.correct',
  'record.revoke-registration',
  'record.reinstate-registration',
  'record.deactivate-registration',
  'record.reactivate-registration',
  'record.custom-action',
] as const;

/** One of them. */
export type ActionPermission = (typeof ACTION_PERMISSIONS)[number];

/** Everything that one type of action means (E-2). What is not named has no effect. */
export interface ActionRule {
  /** The status after it; `restored` is the one before the record was archived. */
  readonly status?: EventStatus | 'restored';
  readonly sets?: readonly InherentFlag[];
  readonly clears?: readonly InherentFlag[];
  /** Whether it changes `updatedAt`, `updatedBy` and the fields beside them. */
  readonly isUpdate: boolean;
  /** The legal status that its acceptance gives. NOTIFIED is kept for scopes and never shown (E-13). */
  readonly legalStatus?: 'NOTIFIED' | keyof LegalStatuses;
  /**
   * What it does to the declaration once accepted: its own is merged; nothing; or first the one of the correction
   * request that it approves, and then its own.
   */
  readonly declaration: 'merged' | 'unchanged' | 'correction merged';
  /**
   * How the form of the event's type checks its declaration (E-3): the kinds of the values that it changes; the whole
   * declaration after it, with what is required; or what it changes, completely, and whether that may be corrected.
   */
  readonly form: 'structural' | 'complete' | 'correction';
  readonly assignment?: 'assigned' | 'unassigned';
  readonly potentialDuplicates?: 'listed' | 'emptied';
  /** Flags that the record must have, or must not have, wherever the status allows the action. */
  readonly onlyWith?: InherentFlag;
  readonly notWith?: readonly InherentFlag[];
  /** Whether it may be requested while another request of the record waits for its confirmation. */
  readonly isAllowedWhilePending: boolean;
  /** Whether the state of a record decides on it at all. */
  readonly isGated: boolean;
  /** Whose request it may be (E-11); nobody's where the service alone adds the action. */
  readonly by: readonly UserType[];
  /** Any one of these permits it; an empty list requires no permission but a token. */
  readonly permissions: readonly ActionPermission[];
  /** Whether its request is posted to the country configuration, which confirms it (E-15). */
  readonly isConfirmed: boolean;
}
