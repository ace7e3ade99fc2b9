import type { AccessRule } from '../../auth/access/allow.js';
import type { Asker } from '../../auth/access/asker.js';
import { type Caller, mayDo } from '../../kernel/domain/scopes/caller.js';
import type { CapacityName } from '../../platform/queue/capacities.js';
import type { UserType } from '../../kernel/domain/user-type.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { ERROR_MESSAGES } from '../errors/error-messages.js';

/** Who calls, and until when he waits. */
export interface Call extends Asker {
  /** Where he reaches the service, without a trailing slash. */
  readonly publicAddress: string;
}

/** Reads, or changes something: a query may be asked for by GET. */
export interface Procedure {
  readonly kind: 'query' | 'mutation';
  /** That of the same operation's route. */
  readonly access: AccessRule | undefined;
  /** The only kind of caller, if that route has one alone. */
  readonly only: UserType | undefined;
  /** Whose turns its calls take, if that route takes any. */
  readonly capacity?: CapacityName | undefined;
  /** `input` is plain JSON. Resolves with plain JSON, or with `JsonText`. Throws what the route throws. */
  readonly run: (input: unknown, call: Call) => Promise<unknown>;
}

/** Some of the procedures of I-4, by the names that they have upstream. */
export type Procedures = Readonly<Record<string, Procedure>>;

/** Throws 403 FORBIDDEN for a caller whom the rule of a route does not permit. */
export function requireAccess(access: AccessRule | undefined, caller: Caller): void {
  if (access === 'authenticated' || access === 'public' || access?.some((each) => mayDo(caller, each)) === true) return;
  const message = `authorization: the access token lacks the permission ${access?.join(' or ') ?? 'for it'}`;
  throw new ServiceError('FORBIDDEN', ERROR_MESSAGES.FORBIDDEN, { issues: [{ message }] });
}
