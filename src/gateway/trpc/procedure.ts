import type { AccessRule, Asker } from '../../auth/access/decorators.js';
import { type Caller, mayDo } from '../../kernel/domain/scopes/caller.js';
import type { CapacityName } from '../../platform/queue/capacities.js';
import type { UserType } from '../../kernel/domain/author.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { ERROR_MESSAGES } from '../errors/error-messages.js';

/** The caller, and the deadline. */
export interface Call extends Asker {
  /** Without a trailing slash. */
  readonly publicAddress: string;
}

/** Queries may use GET. */
export interface Procedure {
  readonly kind: 'query' | 'mutation';
  /** As the route. */
  readonly access: AccessRule | undefined;
  /** The only kind of caller, as the route. */
  readonly only: UserType | undefined;
  /** As the route. */
  readonly capacity?: CapacityName | undefined;
  /** Plain JSON in and out, or `JsonText`; throws as the route. */
  readonly run: (input: unknown, call: Call) => Promise<unknown>;
}

/** By upstream's names (I-4). */
export type Procedures = Readonly<Record<string, Procedure>>;

/** Throws 403 FORBIDDEN unless the rule permits the caller. */
export function requireAccess(access: AccessRule | undefined, caller: Caller): void {
  if (access === 'authenticated' || access === 'public' || access?.some((each) => mayDo(caller, each)) === true) return;
  const message = `authorization: the access token lacks the permission ${access?.join(' or ') ?? 'for it'}`;
  throw new ServiceError('FORBIDDEN', ERROR_MESSAGES.FORBIDDEN, { issues: [{ message }] });
}
