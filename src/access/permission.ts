/**
 * What a route can require of its caller (G-2). The table in `scope-permissions.ts` says which scope permits what
 * (A-9).
 */
export type Permission =
  | 'record.search'
  | 'record.read'
  | 'record.create'
  | 'record.notify'
  | 'record.declare'
  | 'record.edit'
  | 'record.register'
  | 'record.reject'
  | 'record.archive'
  | 'record.unarchive'
  | 'record.review-duplicates'
  | 'record.print-certified-copies'
  | 'record.request-correction'
  | 'record.correct'
  | 'record.revoke-registration'
  | 'record.reinstate-registration'
  | 'record.deactivate-registration'
  | 'record.reactivate-registration'
  | 'record.custom-action'
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
