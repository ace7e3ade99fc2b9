import { type Faults, memberPath } from '../../kernel/errors/faults.js';
import { messageOf } from '../../kernel/errors/service-error.js';
import { isObject } from '../../kernel/input/checks.js';
import { repeatedKey } from '../../kernel/input/json.js';
import { oneOf, type Reader } from '../../kernel/input/readers.js';

/** Records a fault for the place of a syntax error, or for a duplicate key, of which parsing would keep the last. */
export function parseJson(text: string, faults: Faults): unknown {
  try {
    const value: unknown = JSON.parse(text);
    const repeated = repeatedKey(text);
    if (repeated !== undefined) faults.add(repeated, 'is given twice');
    return value;
  } catch (error) {
    faults.add('file', `must be JSON: ${messageOf(error)}`);
    return undefined;
  }
}

const LONGEST_LIST = 2_000;
/** Nesting of rules and conditions. */
const DEEPEST = 16;

export type Schema = Readonly<Record<string, unknown>>;

/** A value of a file: its JSON Schema, and how it is read. After a fault the value must not be used. */
export interface Shape<T> {
  readonly schema: Schema;
  readonly isOptional?: boolean;
  readonly read: (value: unknown, path: string, faults: Faults, depth: number) => T;
}

interface OptionalShape<T> extends Shape<T> {
  readonly isOptional: true;
}

export type ValueOf<S> = S extends Shape<infer T> ? T : never;
type Members = Readonly<Record<string, Shape<unknown>>>;
type OptionalKey<M> = { [Key in keyof M]: M[Key] extends OptionalShape<unknown> ? Key : never }[keyof M];
type ObjectOf<M> = { readonly [Key in Exclude<keyof M, OptionalKey<M>>]: ValueOf<M[Key]> } & {
  readonly [Key in OptionalKey<M>]?: Exclude<ValueOf<M[Key]>, undefined>;
};
type TaggedOf<Kinds> = { [Type in keyof Kinds]: { readonly type: Type } & ObjectOf<Kinds[Type]> }[keyof Kinds];

export const optional = <T>(shape: Shape<T>): OptionalShape<T | undefined> => ({
  ...orElse<T | undefined>(shape, undefined),
  isOptional: true,
});

export const orElse = <T>(shape: Shape<T>, absent: T): Shape<T> => ({
  ...shape,
  isOptional: true,
  read: (value, ...where) => (value === undefined ? absent : shape.read(value, ...where)),
});

export const described = <T>(shape: Shape<T>, description: string): Shape<T> => ({
  ...shape,
  schema: { ...shape.schema, description },
});

export const scalar = <T>({ expected, read }: Reader<T>, schema: Schema): Shape<T> => ({
  schema,
  read: (value, path, faults) => {
    const found = read(value);
    if (found === undefined) faults.add(path, `${value === undefined ? 'is required and ' : ''}${expected}`);
    return found as T;
  },
});

export const choice = <const T extends string>(values: readonly T[]): Shape<T> =>
  scalar(oneOf(values), { enum: values });

export const list = <T>(of: Shape<T>, least = 0): Shape<readonly T[]> => ({
  schema: { type: 'array', minItems: least, maxItems: LONGEST_LIST, items: of.schema },
  read: (value, path, faults, depth) => {
    if (Array.isArray(value) && value.length >= least && value.length <= LONGEST_LIST) {
      return value.map((item: unknown, at) => of.read(item, memberPath(path, at), faults, depth));
    }
    faults.add(path, `${value === undefined ? 'is required and ' : ''}must be a list of ${least} to ${LONGEST_LIST}`);
    return [];
  },
});

export const object = <M extends Members>(members: M): Shape<ObjectOf<M>> => ({
  schema: {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(members).filter((key) => members[key]?.isOptional !== true),
    properties: Object.fromEntries(Object.entries(members).map(([key, { schema }]) => [key, schema])),
  },
  read: (value, path, faults, depth) => {
    if (!isObject(value)) {
      faults.add(path, 'must be an object');
      return {} as ObjectOf<M>;
    }
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(members, key)) faults.add(memberPath(path, key), 'is not a known key');
    }
    const found = Object.entries(members).map(([key, { read }]) => {
      const member = Object.hasOwn(value, key) ? value[key] : undefined;
      return [key, read(member, memberPath(path, key), faults, depth)] as const;
    });
    return Object.fromEntries(found.filter(([, member]) => member !== undefined)) as ObjectOf<M>;
  },
});

/** One of several kinds of objects, which their `type` tells apart. */
export function tagged<Kinds extends Readonly<Record<string, Members>>>(kinds: Kinds): Shape<TaggedOf<Kinds>> {
  const known = Object.keys(kinds);
  const shapes = [...new Set(Object.values(kinds))].map((members) => {
    const types = known.filter((type) => kinds[type] === members);
    return [types, object({ type: choice(types), ...members })] as const;
  });
  const type = choice(known);
  return {
    schema: { oneOf: shapes.map(([, { schema }]) => schema) },
    read: (value, path, faults, depth) => {
      const found = isObject(value) ? type.read(value['type'], `${path}.type`, faults, depth) : undefined;
      if (!isObject(value)) faults.add(path, 'must be an object');
      const shape = shapes.find(([types]) => types.some((one) => one === found))?.[1];
      return shape?.read(value, path, faults, depth) as TaggedOf<Kinds>;
    },
  };
}

/** A rule that may contain others, by its name in `$defs`. */
export const nested = <T>(name: string, rule: () => Shape<T>): Shape<T> => ({
  schema: { $ref: `#/$defs/${name}` },
  read: (value, path, faults, depth) => {
    if (depth < DEEPEST) return rule().read(value, path, faults, depth + 1);
    faults.add(path, `may be at most ${DEEPEST} levels deep`);
    return undefined as T;
  },
});
