import { type RowFilter, rowFilterWith } from '../../kernel/domain/scopes/caller.js';
import { READING } from '../../kernel/domain/scopes/permission.js';
import { grantsOf } from './scope-permissions.js';

/**
 * Records sent to a client: those its read scopes admit. Without any, subscriptions are unrestricted; if the
 * only one cannot be decoded, nothing, as for a search.
 */
export function rowFilterOfClient(scopes: readonly string[], clientId: string): RowFilter {
  const undecodable: string[] = [];
  const grants = grantsOf(scopes, (scope) => void undecodable.push(scope));
  const options = grants.filter(({ permission }) => READING.has(permission)).map((grant) => grant.options);
  return options.length === 0 && undecodable.length === 0 ? 'everything' : rowFilterWith(options, client(clientId));
}

export const isSentEverything = (scopes: readonly string[]): boolean => rowFilterOfClient(scopes, '') === 'everything';

/** The client's read scopes decide about secured fields (E-10). */
export function readableByClient(scopes: readonly string[], clientId: string): RowFilter {
  const grants = grantsOf(scopes, () => undefined);
  const options = grants.flatMap((grant) => (grant.permission === 'record.read' ? [grant.options] : []));
  return rowFilterWith(options, client(clientId));
}

const client = (subject: string) => ({ subject, userType: 'system' }) as const;
