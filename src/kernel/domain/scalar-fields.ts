import type { EventRecord, Field, Fields, FieldValues, ScalarValues } from './event-record.js';
import { LEGAL_STATUS_FIELDS, RECORD_FIELDS, REGISTERED_STATUS_FIELDS } from './event-record.js';

export type ScalarKind = keyof ScalarValues;

export interface ScalarField<Kind extends ScalarKind = ScalarKind> {
  readonly kind: Kind;
  readonly isNullable: boolean;
  readonly example: string | undefined;
  readonly read: (record: EventRecord) => ScalarValues[Kind] | null;
}

type ScalarKey<T extends Fields> = {
  [Key in keyof T]: T[Key]['kind'] extends ScalarKind ? Key : never;
}[keyof T] &
  string;

type Named<Prefix extends string, T extends Fields> = {
  readonly [Key in ScalarKey<T> as `${Prefix}${Key}`]: ScalarField<Extract<T[Key]['kind'], ScalarKind>>;
};

type ScalarFields = Named<'', typeof RECORD_FIELDS> &
  Named<'legalStatuses.DECLARED.', typeof LEGAL_STATUS_FIELDS> &
  Named<'legalStatuses.REGISTERED.', typeof REGISTERED_STATUS_FIELDS>;

/** A scalar field: a key, or `legalStatuses.<status>.<key>`. */
export type ScalarName = keyof ScalarFields;

export type KindOf<Name extends ScalarName> = ScalarFields[Name]['kind'];

const MORE_THAN_ONE_VALUE: Readonly<Record<Exclude<keyof FieldValues, ScalarKind>, true>> = {
  legalStatuses: true,
  potentialDuplicates: true,
  flags: true,
  declaration: true,
};

function named<Prefix extends string, T extends Fields>(
  prefix: Prefix,
  fields: T,
  readerOf: (key: ScalarKey<T>) => ScalarField['read'],
): Named<Prefix, T> {
  const scalars = Object.entries<Field>(fields).filter(([, { kind }]) => !Object.hasOwn(MORE_THAN_ONE_VALUE, kind));
  return Object.fromEntries(
    scalars.map(([key, { kind, isNullable, example }]) => [
      `${prefix}${key}`,
      { kind, isNullable: prefix !== '' || isNullable === true, example, read: readerOf(key as ScalarKey<T>) },
    ]),
  ) as Named<Prefix, T>;
}

export const SCALAR_FIELDS: ScalarFields = {
  ...named('', RECORD_FIELDS, (key) => (record) => record[key]),
  ...named('legalStatuses.DECLARED.', LEGAL_STATUS_FIELDS, (key) => (record) => {
    return record.legalStatuses.DECLARED?.[key] ?? null;
  }),
  ...named('legalStatuses.REGISTERED.', REGISTERED_STATUS_FIELDS, (key) => (record) => {
    return record.legalStatuses.REGISTERED?.[key] ?? null;
  }),
};
