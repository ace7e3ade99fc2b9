import { ACTION_PERMISSIONS, type ActionPermission } from '../life-cycle/action-rule.js';

/** Required by routes (G-2); `scope-permissions.ts` says which scope grants which. */
export type Permission =
  | 'record.search'
  | ActionPermission
  /** Taking an event from its assignee. */
  | 'record.unassign-others'
  | 'record.import'
  | 'record.reindex'
  | 'record.action.accept'
  | 'record.action.reject'
  | 'attachment.upload'
  | 'webhook.subscribe'
  | 'location.edit'
  | 'integration.create'
  | 'integration.audit.read'
  /** RFC 7662: asking about tokens of others (U-10). */
  | 'token.introspect'
  /** Users (U-6). */
  | 'user.create'
  | 'user.read'
  | 'user.update'
  /** The two administrator roles. */
  | 'sysadmin'
  | 'natlsysadmin';

export const RECORD_PERMISSIONS = [
  'record.search',
  ...ACTION_PERMISSIONS,
  'record.unassign-others',
] as const satisfies readonly Permission[];

/** Including those of country configurations. */
export const PERMISSIONS_ON_RECORDS: readonly Permission[] = [
  ...RECORD_PERMISSIONS,
  'record.action.accept',
  'record.action.reject',
];

export const READING: ReadonlySet<Permission> = new Set<Permission>(['record.search', 'record.read']);
