import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import type { Command, OperationKey } from './command.js';

export interface KeyedOperation {
  readonly eventId: Uuid;
  readonly key: OperationKey;
}

/** Operations without a key may be repeated. */
export const isKeyed = <T extends Pick<Command<unknown>, 'eventId' | 'key'>>(
  command: T,
): command is T & KeyedOperation => command.key !== undefined;

/** By `nameOf`, the content hashes of performed operations. */
export async function readPerformed(
  transaction: Queryable,
  operations: readonly KeyedOperation[],
): Promise<ReadonlyMap<string, Buffer>> {
  if (operations.length === 0) return new Map();
  const rows = await transaction.query<{ id: Uuid; key: Buffer; content: Buffer }>(sql`
    select event_id as id, key, content
      from performed_operation
      join unnest(${idsOf(operations)}::uuid[], ${keysOf(operations)}::bytea[]) as asked (event_id, key)
     using (event_id, key)`);
  return new Map(rows.map(({ id, key, content }) => [nameOf({ eventId: id, key: { key, content } }), content]));
}

/** As changes for `oneStatement`. */
export function insertedOperations(operations: readonly KeyedOperation[]): readonly Sql[] {
  if (operations.length === 0) return [];
  return [
    sql`
    insert into performed_operation (event_id, key, content)
    select * from unnest(
      ${idsOf(operations)}::uuid[], ${keysOf(operations)}::bytea[],
      ${operations.map(({ key }) => key.content)}::bytea[])`,
  ];
}

/** A map key. */
export const nameOf = ({ eventId, key }: KeyedOperation): string => `${eventId} ${key.key.toString('base64')}`;

const idsOf = (operations: readonly KeyedOperation[]): readonly Uuid[] => operations.map(({ eventId }) => eventId);
const keysOf = (operations: readonly KeyedOperation[]): readonly Buffer[] => operations.map(({ key }) => key.key);
