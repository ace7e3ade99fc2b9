/**
 * What a route can require of its caller (G-2). The table in `scope-permissions.ts` says which scope permits what
 * (A-9).
 */
export type Permission =
  | 'record.search'
  | 'record.read'
  | 'record.create'
  | 'record.notify'
  | 'record.import'
  | 'record.action.accept'
  | 'record.action.reject'
  | 'attachment.upload'
  | 'webhook.subscribe'
  | 'location.edit'
  | 'integration.audit.read'
  /** The two administrator roles. */
  | 'sysadmin'
  | 'natlsysadmin';
