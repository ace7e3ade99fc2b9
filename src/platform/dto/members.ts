import { applyDecorators } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import { ApiProperty, type ApiPropertyOptions, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, IsObject, ValidateBy, ValidateIf, ValidateNested, type ValidationArguments } from 'class-validator';
import type { Faults } from '../../kernel/errors/faults.js';

export type Dto<T extends object = object> = new () => T;

/** Sets the class of a handler's first parameter, which generic code cannot name. */
export const Takes =
  (dto: Dto): MethodDecorator =>
  (target, key) => {
    const [, ...others] = Reflect.getMetadata('design:paramtypes', target, key) as readonly unknown[];
    Reflect.defineMetadata('design:paramtypes', [dto, ...others], target, key);
  };

const NESTED = 'matricula:nested';
const PASSED_ON = 'matricula:passed-on';
const REPEATABLE = 'matricula:repeatable';

/** The value must satisfy `isSound`; `message` follows its path in faults. */
export const Checked = (
  name: string,
  isSound: (value: unknown, given?: ValidationArguments) => boolean,
  message: string | ((given?: ValidationArguments) => string),
): PropertyDecorator =>
  ValidateBy({
    name,
    validator: { validate: isSound, defaultMessage: typeof message === 'string' ? () => message : message },
  });

/** The value is read by `read`, which returns others as they are. */
export const ReadBy = (read: (value: unknown) => unknown): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => read(value));

/** Required, of any type. */
export const IsThere = (): PropertyDecorator => Checked('isThere', (value) => value !== undefined, 'is required');

/** Optional, but not null. */
export const MayBeAbsent = (): PropertyDecorator => ValidateIf((_, value: unknown) => value !== undefined);

/** A member with its schema and its checks, in the order of stacked decorators. */
export const Member = (schema: ApiPropertyOptions, ...checks: readonly PropertyDecorator[]): PropertyDecorator =>
  applyDecorators(...checks.toReversed(), ApiProperty(schema));

/** As `Member`, and `MayBeAbsent`. */
export const OptionalMember = (
  schema: ApiPropertyOptions,
  ...checks: readonly PropertyDecorator[]
): PropertyDecorator => applyDecorators(...checks.toReversed(), MayBeAbsent(), ApiPropertyOptional(schema));

export const Nested = (dto: Dto): PropertyDecorator =>
  applyDecorators(
    IsObject(),
    ValidateNested(),
    Type(() => dto),
    Reflect.metadata(NESTED, dto),
  );

export type Check = (value: unknown, path: string, faults: Faults) => unknown;

/**
 * Any value, unchanged. class-transformer would copy it, which takes seconds for a megabyte of keys; it leaves
 * functions alone, so it gets one that returns the value. `check` runs when the body is already refused, to report all
 * faults.
 */
export const PassedOn = (check?: Check): PropertyDecorator =>
  applyDecorators(
    Allow(),
    ReadBy((value) => (typeof value === 'function' ? (value as () => unknown)() : value)),
    Reflect.metadata(PASSED_ON, check ?? true),
  );

export const nestedDtoOf = (dto: Dto, key: string): Dto | undefined =>
  Reflect.getMetadata(NESTED, dto.prototype as object, key) as Dto | undefined;

export const isPassedOn = (dto: Dto, key: string): boolean =>
  Reflect.hasMetadata(PASSED_ON, dto.prototype as object, key);

export function checkOf(dto: Dto, key: string): Check | undefined {
  const check: unknown = Reflect.getMetadata(PASSED_ON, dto.prototype as object, key);
  return typeof check === 'function' ? (check as Check) : undefined;
}

export const Repeatable = (): PropertyDecorator => Reflect.metadata(REPEATABLE, true);

export const mayRepeat = (dto: Dto, key: string): boolean =>
  Reflect.hasMetadata(REPEATABLE, dto.prototype as object, key);
