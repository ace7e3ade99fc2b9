import { ACTION_PERMISSIONS, type ActionPermission } from '../life-cycle/action-rule.js';

/**
 * What a route can require of its caller (G-2). The table in `scope-permissions.ts` says which scope permits what
 * (A-9).
 */
export type Permission =
  | 'record.search'
  | ActionPermission
  /** Taking an event away from whoever it is assigned to. */
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

/** The permissions of people and clients to do something with events, whatever it is. */
export const RECORD_PERMISSIONS = [
  'record.search',
  ...ACTION_PERMISSIONS,
  'record.unassign-others',
] as const satisfies readonly Permission[];

/** All by which records are reached, those of country configurations included. */
export const PERMISSIONS_ON_RECORDS: readonly Permission[] = [
  ...RECORD_PERMISSIONS,
  'record.action.accept',
  'record.action.reject',
];

/** By which is learned what records hold. */
export const READING: ReadonlySet<Permission> = new Set<Permission>(['record.search', 'record.read']);
