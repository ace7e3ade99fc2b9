import type { Permission } from '../../kernel/domain/scopes/permission.js';

/** Administrators' tokens come from the command line (A-11). */
type OfClients = Exclude<Permission, 'sysadmin' | 'natlsysadmin'>;

export const SCOPE_DESCRIPTIONS: Readonly<Record<OfClients, string>> = {
  'record.search': 'Search records, count them, and have them streamed',
  'record.read': 'Read an event with its actions',
  'record.create': 'Create events',
  'record.notify': 'Notify events',
  'record.declare': 'Declare events',
  'record.edit': 'Edit notified and declared records',
  'record.register': 'Register declared records',
  'record.reject': 'Send records back for updates',
  'record.archive': 'Archive records',
  'record.unarchive': 'Restore archived records',
  'record.review-duplicates': 'Decide whether records are duplicates',
  'record.print-certified-copies': 'Note that certificates were printed',
  'record.request-correction': 'Request corrections of registered records',
  'record.correct': 'Correct registered records, and decide on requests for it',
  'record.revoke-registration': 'Revoke registrations',
  'record.reinstate-registration': 'Reinstate revoked registrations',
  'record.deactivate-registration': 'Deactivate registrations',
  'record.reactivate-registration': 'Reactivate registrations',
  'record.custom-action': 'Take the custom actions of the country',
  'record.unassign-others': 'Take events away from whoever they are assigned to',
  'record.import': 'Import records, and trigger notifications',
  'record.reindex': 'Derive the search index of all records again',
  'record.action.accept': 'Accept requested actions',
  'record.action.reject': 'Reject requested actions',
  'attachment.upload': 'Upload files',
  'webhook.subscribe': 'Subscribe to notifications, and replay them',
  'location.edit': 'Create and change places',
  'integration.create': 'Create and change system clients',
  'integration.audit.read': 'Read what system clients did',
  'token.introspect': 'Ask about the tokens of others',
  'user.create': 'Create users',
  'user.read': 'Read users',
  'user.update': 'Change users',
};

export const isOfClients = (permission: Permission): permission is OfClients =>
  Object.hasOwn(SCOPE_DESCRIPTIONS, permission);
