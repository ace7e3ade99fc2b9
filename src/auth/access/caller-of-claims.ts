import type { UserType } from '../../kernel/domain/author.js';
import { lowerUuid, type Uuid } from '../../kernel/domain/uuid.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { grantsOf } from './scope-permissions.js';

/** */
export interface ClaimsOfCaller {
  readonly sub: string;
  readonly userType: UserType;
  readonly scope: readonly string[];
  readonly office?: Uuid | undefined;
  readonly onlyEvent?: Uuid | undefined;
}

export function callerOf(
  { sub, userType, scope, office, onlyEvent }: ClaimsOfCaller,
  onUndecodable: (scope: string) => void,
): Caller {
  const grants = grantsOf(scope, onUndecodable);
  return {
    ...{ subject: lowerUuid(sub), userType, scopes: scope, grants },
    ...(office !== undefined && { office }),
    ...(onlyEvent !== undefined && { onlyEvent }),
  };
}
