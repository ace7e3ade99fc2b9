import 'reflect-metadata';
import { ACCESS_RULE, type AccessRule, CAPACITY, ONLY_USER_TYPE } from '../../auth/access/decorators.js';
import type { CapacityName } from '../../platform/queue/capacities.js';
import type { Dto } from '../../platform/dto/members.js';
import { isDto } from '../../platform/dto/read-dto.js';
import type { UserType } from '../../kernel/domain/author.js';
import type { Procedure } from './procedure.js';

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

/** The DTO of the route's body. */
export function bodyOfRoute<T extends Class, B extends object>(
  controller: T,
  handler: keyof InstanceType<T> & string,
): Dto<B> {
  const types: unknown = Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler);
  const body: unknown = Array.isArray(types) ? types.find(isDto) : undefined;
  if (body === undefined) throw new Error(`${handler} has no body`);
  return body as Dto<B>;
}
