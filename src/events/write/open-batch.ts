import { randomInt } from 'node:crypto';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { type Queryable, together } from '../../platform/database/connection/queryable.js';
import { type FreeEvents, lockFreeEvents } from '../records/stored-events.js';
import type { Command, OperationKey } from './command.js';

interface KeyedOperation {
  readonly eventId: Uuid;
  readonly key: OperationKey;
}

/** Operations without a key may be repeated. */
export const isKeyed = <T extends Pick<Command<unknown>, 'eventId' | 'key'>>(
  command: T,
): command is T & KeyedOperation => command.key !== undefined;

/** By `nameOf`, the content hashes of performed operations. */
async function readPerformed(
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

const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LENGTH = 6;

/** Cryptographically random: 6 characters of `0-9A-Z`, perhaps taken. */
export const newTrackingId = (): string =>
  Array.from({ length: LENGTH }, () => CHARACTERS.charAt(randomInt(CHARACTERS.length))).join('');

/** One statement usually suffices: of a hundred million events, one id in twenty is taken. */
const SPARE = 4;
const ATTEMPTS = 100;

/** Unused. After a concurrent use the operation is repeated. */
export async function freeTrackingIds(
  transaction: Queryable,
  count: number,
  generate: () => string = newTrackingId,
): Promise<string[]> {
  const free = new Set<string>();
  for (let left = ATTEMPTS; free.size < count; left -= 1) {
    if (left === 0) throw new Error(`there are not ${count} free ones among ${ATTEMPTS} times as many tracking ids`);
    const ids = Array.from({ length: count - free.size + SPARE }, generate);
    const taken = await transaction.query<{ id: string }>(
      sql`select tracking_id as id from event where tracking_id = any (${ids}::text[])`,
    );
    const isTaken = new Set(taken.map(({ id }) => id));
    for (const id of ids) if (!isTaken.has(id)) free.add(id);
  }
  return [...free];
}

/** Locked until the end of the transaction. */
export interface OpenedBatch extends FreeEvents {
  readonly performed: ReadonlyMap<string, Buffer>;
  /** Free ones. */
  readonly trackingIds: readonly string[];
}

/** Keeps the pending list of terms short, which searches read. */
const SHORT_LIST = sql`set local gin_pending_list_limit = '64kB'`;

/** For locks other than those of events. A longer wait fails alone when the batch is repeated. */
export const PATIENT = sql`${SHORT_LIST}; set local lock_timeout = '10s'`;
/** For single commands after a batch has timed out, and on events that others hold. */
export const BRIEF = sql`${SHORT_LIST}; set local lock_timeout = '250ms'`;

/** Skips locked events. Its first statements are pipelined. */
export async function openBatch(transaction: Queryable, commands: readonly Command<unknown>[]): Promise<OpenedBatch> {
  const wanting = commands.filter(({ needs }) => needs === 'trackingId').length;
  const [{ stored, held }, trackingIds] = await together(
    lockFreeEvents(
      transaction,
      commands.map(({ eventId }) => eventId),
    ),
    freeTrackingIds(transaction, wanting),
  );
  // Performed operations are deleted with their event.
  const performed = await readPerformed(
    transaction,
    commands.filter(isKeyed).filter(({ eventId }) => stored.has(eventId)),
  );
  return { stored, held, performed, trackingIds };
}
