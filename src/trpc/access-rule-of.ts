import 'reflect-metadata';

import type { AccessRule } from '../access/allow.js';
import { ACCESS_RULE } from '../access/allow.js';

type Class = abstract new (...parameters: never[]) => object;

/** Who may call the route of a controller: its procedure has the same rule, without saying it a second time. */
export function accessRuleOf<T extends Class>(
  controller: T,
  handler: keyof InstanceType<T> & string,
): AccessRule | undefined {
  const member: unknown = Reflect.get(controller.prototype as object, handler);
  const ofHandler: unknown = typeof member === 'function' ? Reflect.getMetadata(ACCESS_RULE, member) : undefined;
  return (ofHandler ?? Reflect.getMetadata(ACCESS_RULE, controller)) as AccessRule | undefined;
}
