import type { Caller, Grant } from '../../kernel/domain/scopes/caller.js';
import { type Permission, READING } from '../../kernel/domain/scopes/permission.js';
import { canExcludeFlags } from './scope-permissions.js';

/**
 * The flags that hide a record from the caller, whatever he wants to do with it by this permission (E-10). Scopes such
 * as those for notifying cannot say which flags they exclude: what each of his scopes for finding and reading records
 * excludes, as `flags.noneOf=sealed` does, is hidden from them too, since an answer would tell that the record exists.
 * Where scopes can say it, they decide themselves, and nothing else is hidden. A token that was narrowed to other scopes
 * shows nothing more.
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
