import 'reflect-metadata';

import type { AccessRule } from '../access/allow.js';
import { ACCESS_RULE } from '../access/allow.js';
import { ONLY_USER_TYPE } from '../access/allow-only.js';
import type { CapacityName } from '../access/capacities.js';
import { CAPACITY } from '../access/in-turn.js';
import type { UserType } from '../domain/record/user-type.js';
import type { Procedure } from './procedure.js';

type Class = abstract new (...parameters: never[]) => object;

/** Who may call the route of a controller, and in whose turns: its procedure does not say them a second time. */
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
