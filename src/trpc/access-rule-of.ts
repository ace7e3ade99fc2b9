import 'reflect-metadata';

import type { AccessRule } from '../access/allow.js';
import { ACCESS_RULE } from '../access/allow.js';
import { ONLY_USER_TYPE } from '../access/allow-only.js';
import type { UserType } from '../domain/record/user-type.js';

type Class = abstract new (...parameters: never[]) => object;

/** Who may call the route of a controller: its procedure has the same rule, without saying it a second time. */
export function accessRuleOf<T extends Class>(
  controller: T,
  handler: keyof InstanceType<T> & string,
): AccessRule | undefined {
  return metadataOf(ACCESS_RULE, controller, handler) as AccessRule | undefined;
}

/** The same for the only kind of caller that the route has; undefined for both. */
export const onlyUserTypeOf = <T extends Class>(
  controller: T,
  handler: keyof InstanceType<T> & string,
): UserType | undefined => metadataOf(ONLY_USER_TYPE, controller, handler) as UserType | undefined;

function metadataOf(key: string, controller: Class, handler: string): unknown {
  const member: unknown = Reflect.get(controller.prototype as object, handler);
  const ofHandler: unknown = typeof member === 'function' ? Reflect.getMetadata(key, member) : undefined;
  return ofHandler ?? Reflect.getMetadata(key, controller);
}
