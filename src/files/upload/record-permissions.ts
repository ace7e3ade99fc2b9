import type { Permission } from '../../access/permission.js';

/** Whoever may do anything with a record may upload files for it (F-1). */
export const RECORD_PERMISSIONS = [
  'record.search',
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
  'record.unassign-others',
  'record.action.accept',
  'record.action.reject',
] as const satisfies readonly Permission[];
