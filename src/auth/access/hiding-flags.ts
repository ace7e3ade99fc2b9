import type { Caller, Grant } from '../../kernel/domain/scopes/caller.js';
import { type Permission, READING } from '../../kernel/domain/scopes/permission.js';
import { canExcludeFlags } from './scope-permissions.js';

/**
 * Flags that hide a record from the caller for this permission (E-10). Scopes such as those for notifying cannot
 * exclude flags: any flag that a find or read scope excludes (`flags.noneOf=sealed`) hides the record, since an answer
 * would reveal it. Scopes that can exclude flags decide alone. Narrowed tokens reveal no more.
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
