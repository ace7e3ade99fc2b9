import type { Permission } from '../../../access/permission.js';

/** Whoever has one of these for a record may know that it exists, and assign it to himself. */
export const ANY_RECORD_PERMISSION: readonly Permission[] = [
  'record.search',
  'record.read',
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
  'record.unassign-others',
];
