import type { SortValues } from '../../../kernel/domain/search-request.js';
import { all, any, type Sql, sql } from '../../../kernel/sql/sql.js';
import { comparable, type OrderKey } from './order.js';

/**
 * Rows after the one with these values (S-15): after it in some key, equal in all keys before. An index can start at
 * the condition on the first key, which comes first.
 */
export function compileAfter(keys: readonly OrderKey[], values: SortValues): Sql {
  if (keys.length !== values.length) throw new Error(`${values.length} values for ${keys.length} keys`);
  const [first, ...rest] = keys.map((key, at) => ({ key, value: values[at] ?? null }));
  if (first === undefined) return sql`false`;
  const after = afterInSome(first, rest);
  return first.value === null || first.key.nullable || rest.length === 0 ? after : all([notBefore(first), after]);
}

interface Place {
  readonly key: OrderKey;
  readonly value: string | null;
}

function afterInSome(first: Place, rest: readonly Place[]): Sql {
  const [next, ...others] = rest;
  const alternatives = [
    ...afterIn(first),
    ...(next === undefined ? [] : [all([equalIn(first), afterInSome(next, others)])]),
  ];
  return any(alternatives);
}

/** Rows without a value come last (S-12). */
function afterIn({ key, value }: Place): readonly Sql[] {
  if (value === null) return [];
  const bound = boundAs(key, value);
  const beyond = key.direction === 'asc' ? sql`${comparable(key)} > ${bound}` : sql`${comparable(key)} < ${bound}`;
  return key.nullable ? [any([beyond, sql`${key.column} is null`])] : [beyond];
}

const equalIn = ({ key, value }: Place): Sql =>
  value === null ? sql`${key.column} is null` : sql`${comparable(key)} = ${boundAs(key, value)}`;

function notBefore({ key, value }: Place): Sql {
  const bound = boundAs(key, value);
  return key.direction === 'asc' ? sql`${comparable(key)} >= ${bound}` : sql`${comparable(key)} <= ${bound}`;
}

function boundAs({ type }: OrderKey, value: string | null): Sql {
  switch (type) {
    case 'text':
      return sql`${value}::text`;
    case 'uuid':
      return sql`${value}::uuid`;
    case 'date':
      return sql`${value}::date`;
    case 'timestamptz':
      return sql`${value}::timestamptz`;
    case 'numeric':
      return sql`${value}::numeric`;
    case 'bigint':
      return sql`${value}::bigint`;
  }
}
