import type { EventStatus, InherentFlag, LegalStatuses, UserType } from '../event-record.js';

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

export type ActionPermission = (typeof ACTION_PERMISSIONS)[number];

/** Absent members have no effect (E-2). */
export interface ActionRule {
  /** After the action; `restored`: the status before archival. */
  readonly status?: EventStatus | 'restored';
  readonly sets?: readonly InherentFlag[];
  readonly clears?: readonly InherentFlag[];
  /** Changes `updatedAt`, `updatedBy` and related fields. */
  readonly isUpdate: boolean;
  /** Set by acceptance. NOTIFIED is kept for scopes and never shown (E-13). */
  readonly legalStatus?: 'NOTIFIED' | keyof LegalStatuses;
  /** On acceptance: merges its own declaration, nothing, or the approved correction request first. */
  readonly declaration: 'merged' | 'unchanged' | 'correction merged';
  /**
   * Checks by the form (E-3). `structural`: kinds of changed values. `complete`: the resulting declaration, with
   * required fields. `correction`: the changes, completely, and whether they may be corrected.
   */
  readonly form: 'structural' | 'complete' | 'correction';
  readonly assignment?: 'assigned' | 'unassigned';
  readonly potentialDuplicates?: 'listed' | 'emptied';
  /** Flags that the record must, or must not, have. */
  readonly onlyWith?: InherentFlag;
  readonly notWith?: readonly InherentFlag[];
  /** While another request of the record waits for its confirmation. */
  readonly isAllowedWhilePending: boolean;
  readonly isGated: boolean;
  /** Permitted authors (E-11); empty: the service alone adds it. */
  readonly by: readonly UserType[];
  /** Any one suffices; empty: a token suffices. */
  readonly permissions: readonly ActionPermission[];
  /** Confirmed by the country configuration (E-15). */
  readonly isConfirmed: boolean;
}
