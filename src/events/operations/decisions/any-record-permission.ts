import { type Permission, RECORD_PERMISSIONS } from '../../../kernel/domain/scopes/permission.js';

/** Any of these reveals that a record exists, and permits to assign it to oneself; permission to create does not. */
export const ANY_RECORD_PERMISSION: readonly Permission[] = RECORD_PERMISSIONS.filter(
  (permission) => permission !== 'record.create',
);
