import 'reflect-metadata';
import { ACCESS_RULE, type AccessRule, type Asker, CAPACITY, ONLY_USER_TYPE } from '../../auth/access/decorators.js';
import type { UserType } from '../../kernel/domain/event-record.js';
import { type Caller, mayDo } from '../../kernel/domain/scopes/caller.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import type { CapacityName } from '../../platform/queue/capacities.js';
import { ERROR_MESSAGES } from '../errors/error-answer.js';
import type { Text } from './envelope.js';

type Class = abstract new (...parameters: never[]) => object;

/** A procedure inherits permissions and turns of its route. */
export function rulesOfRoute<T extends Class>(
  controller: T,
  handler: keyof InstanceType<T> & string,
): Pick<Procedure, 'access' | 'only' | 'capacity'> {
  const member: unknown = Reflect.get(controller.prototype as object, handler);
  const metadataOf = (key: string): unknown => {
    const ofHandler: unknown = typeof member === 'function' ? Reflect.getMetadata(key, member) : undefined;
    return ofHandler ?? Reflect.getMetadata(key, controller);
  };
  return {
    access: metadataOf(ACCESS_RULE) as AccessRule | undefined,
    only: metadataOf(ONLY_USER_TYPE) as UserType | undefined,
    capacity: metadataOf(CAPACITY) as CapacityName | undefined,
  };
}

/** Ready JSON text, passed through: a page can be megabytes. */
export class JsonText {
  constructor(readonly text: Text) {}
}

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

type Rules = ReturnType<typeof rulesOfRoute>;

export const query = (rules: Rules, run: Procedure['run']): Procedure => ({ kind: 'query', ...rules, run });

export const mutation = (rules: Rules, run: Procedure['run']): Procedure => ({ kind: 'mutation', ...rules, run });

/** By upstream's names (I-4). */
export type Procedures = Readonly<Record<string, Procedure>>;

/** Throws 403 FORBIDDEN unless the rule permits the caller. */
export function requireAccess(access: AccessRule | undefined, caller: Caller): void {
  if (access === 'authenticated' || access === 'public' || access?.some((each) => mayDo(caller, each)) === true) return;
  const message = `authorization: the access token lacks the permission ${access?.join(' or ') ?? 'for it'}`;
  throw new ServiceError('FORBIDDEN', ERROR_MESSAGES.FORBIDDEN, { issues: [{ message }] });
}
