import type { Caller, Grant } from '../../kernel/domain/scopes/caller.js';
import { type Permission, READING } from '../../kernel/domain/scopes/permission.js';
import { canExcludeFlags } from './scope-permissions.js';

/**
 * Flags that hide a record from the caller for this permission (E-10). Where scopes cannot exclude flags, as for
 * notifying, flags that all find and read scopes exclude (`flags.noneOf=sealed`) hide it. An answer would otherwise
 * reveal the record. Narrowed tokens reveal no more.
 */
export function hidingFlagsFor(
  { grants, narrowedFrom }: Pick<Caller, 'grants' | 'narrowedFrom'>,
  permission: Permission,
): readonly string[] {
  if (canExcludeFlags(permission)) return [];
  return [...new Set([...excludedByAll(grants), ...excludedByAll(narrowedFrom?.grants ?? [])])];
}

function excludedByAll(grants: readonly Grant[]): readonly string[] {
  const [first = [], ...others] = grants.flatMap((grant) =>
    READING.has(grant.permission) ? [grant.options.flags?.noneOf ?? []] : [],
  );
  return first.filter((flag) => others.every((excluded) => excluded.includes(flag)));
}
