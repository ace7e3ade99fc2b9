import { type Permission, RECORD_PERMISSIONS } from '../../../kernel/domain/scopes/permission.js';

/**
 * Whoever has one of these for a record may know that it exists, and assign it to himself. To create other events says
 * nothing about this one.
 */
export const ANY_RECORD_PERMISSION: readonly Permission[] = RECORD_PERMISSIONS.filter(
  (permission) => permission !== 'record.create',
);
