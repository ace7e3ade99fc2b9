import { applyDecorators } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import { Allow, IsObject, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';

import type { Faults } from '../../kernel/errors/faults.js';

/** The class of a body or of a query string: its decorators say what each member may be. */
export type Dto<T extends object = object> = new () => T;

const NESTED = 'matricula:nested';
const PASSED_ON = 'matricula:passed-on';
const REPEATABLE = 'matricula:repeatable';

/** A member that must be there, whatever it is. */
export const IsThere = (): PropertyDecorator =>
  ValidateBy({ name: 'isThere', validator: { validate: (value: unknown) => value !== undefined } });

/** A member that may be left out, but is not null. */
export const MayBeAbsent = (): PropertyDecorator => ValidateIf((_, value: unknown) => value !== undefined);

/** A member that is an object with members of its own. */
export const Nested = (dto: Dto): PropertyDecorator =>
  applyDecorators(
    IsObject(),
    ValidateNested(),
    Type(() => dto),
    Reflect.metadata(NESTED, dto),
  );

/** Adds what is wrong with the value of a member. */
export type Check = (value: unknown, path: string, faults: Faults) => unknown;

/**
 * A member that may be anything: it keeps its value as it came, and whoever uses it checks it. class-transformer would
 * copy it, which takes seconds for a megabyte of keys. It leaves functions alone, so it gets one that yields the value.
 * `check` is the check of whoever uses it: for a body that is refused before, so that its caller learns of all faults.
 */
export const PassedOn = (check?: Check): PropertyDecorator =>
  applyDecorators(
    Allow(),
    Transform(({ value }: { value: unknown }) => (typeof value === 'function' ? (value as () => unknown)() : value)),
    Reflect.metadata(PASSED_ON, check ?? true),
  );

/** The class of a `@Nested` member; undefined for any other. */
export const nestedDtoOf = (dto: Dto, key: string): Dto | undefined =>
  Reflect.getMetadata(NESTED, dto.prototype as object, key) as Dto | undefined;

/** Whether the member is `@PassedOn`. */
export const isPassedOn = (dto: Dto, key: string): boolean =>
  Reflect.hasMetadata(PASSED_ON, dto.prototype as object, key);

/** The check of a `@PassedOn` member, if it names one. */
export function checkOf(dto: Dto, key: string): Check | undefined {
  const check: unknown = Reflect.getMetadata(PASSED_ON, dto.prototype as object, key);
  return typeof check === 'function' ? (check as Check) : undefined;
}

/** A member of a query string that may be given more than once. */
export const Repeatable = (): PropertyDecorator => Reflect.metadata(REPEATABLE, true);

/** Whether the member is `@Repeatable`. */
export const mayRepeat = (dto: Dto, key: string): boolean =>
  Reflect.hasMetadata(REPEATABLE, dto.prototype as object, key);
