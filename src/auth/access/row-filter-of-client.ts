import { type RowFilter, rowFilterWith } from '../../kernel/domain/scopes/caller.js';
import { READING } from '../../kernel/domain/scopes/permission.js';
import { grantsOf } from './scope-permissions.js';

/**
 * The records that a client is sent: those that its scopes for reading records admit. A client without such a
 * scope has only its subscriptions, and they are not restricted. If the only scope for reading may be one that cannot be
 * decoded, such as one of a later release, it is sent nothing: a search would find nothing either.
 */
export function rowFilterOfClient(scopes: readonly string[], clientId: string): RowFilter {
  const undecodable: string[] = [];
  const grants = grantsOf(scopes, (scope) => void undecodable.push(scope));
  const options = grants.filter(({ permission }) => READING.has(permission)).map((grant) => grant.options);
  return options.length === 0 && undecodable.length === 0 ? 'everything' : rowFilterWith(options, client(clientId));
}

/** Whether a client with these scopes is sent all records. */
export const isSentEverything = (scopes: readonly string[]): boolean => rowFilterOfClient(scopes, '') === 'everything';

/** The records whose secured fields a client may learn: those that its scopes let it read (E-10). */
export function readableByClient(scopes: readonly string[], clientId: string): RowFilter {
  const grants = grantsOf(scopes, () => undefined);
  const options = grants.flatMap((grant) => (grant.permission === 'record.read' ? [grant.options] : []));
  return rowFilterWith(options, client(clientId));
}

const client = (subject: string) => ({ subject, userType: 'system' }) as const;
