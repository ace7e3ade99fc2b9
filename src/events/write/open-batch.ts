import type { Queryable } from '../../platform/database/connection/queryable.js';
import { together } from '../../platform/database/connection/together.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { isSqlError } from '../../kernel/errors/sql-state.js';
import { type FreeEvents, lockFreeEvents, lockStoredEvents } from '../records/stored-events.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import type { Command } from './command.js';
import { freeTrackingIds } from './free-tracking-ids.js';
import { isKeyed, readPerformed } from './performed-operations.js';

/** What the database has for commands: it rests locked until the end of the transaction. */
export interface OpenedBatch extends FreeEvents {
  readonly performed: ReadonlyMap<string, Buffer>;
  /** Free ones, for the commands that need one. */
  readonly trackingIds: readonly string[];
}

/** How a transaction begins: by locking the events of its commands. */
export interface Opening {
  /** Sent with the begin. The list of terms that every search reads stays short. */
  readonly settings: Sql;
  /** Reads what decisions rest on, with statements that are sent at once. */
  readonly open: (transaction: Queryable, commands: readonly Command<unknown>[]) => Promise<OpenedBatch>;
}

/** For everything but events. What somebody else holds for longer fails alone, as the batch is repeated one by one. */
const LONGEST_WAIT = sql`set local lock_timeout = '10s'`;
const SHORT_LIST = sql`set local gin_pending_list_limit = '64kB'`;

/** Passes events over that another transaction holds locked. */
export const PASSING: Opening = {
  settings: sql`${SHORT_LIST}; ${LONGEST_WAIT}`,
  open: (transaction, commands) => openBatch(transaction, commands, lockFreeEvents),
};

const SHORT_WAIT = sql`set local lock_timeout = '250ms'`;

/** The same for commands one by one, whose batch has waited for long in vain: many would wait as long each. */
export const PASSING_BRIEFLY: Opening = { ...PASSING, settings: sql`${SHORT_LIST}; ${SHORT_WAIT}` };

/** Waits for them, but not for long. While it does, it holds nothing for which anybody else may wait. */
export const WAITING: Opening = {
  settings: sql`${SHORT_LIST}; ${SHORT_WAIT}`,
  open: (transaction, commands) => openBatch(transaction, commands, waitForEvents),
};

async function openBatch(
  transaction: Queryable,
  commands: readonly Command<unknown>[],
  lock: (transaction: Queryable, ids: readonly Uuid[]) => Promise<FreeEvents>,
): Promise<OpenedBatch> {
  const wanting = commands.filter(({ needs }) => needs === 'trackingId').length;
  const [{ stored, held }, trackingIds] = await together(
    lock(
      transaction,
      commands.map(({ eventId }) => eventId),
    ),
    freeTrackingIds(transaction, wanting),
  );
  // What was performed on an event is deleted with it.
  const performed = await readPerformed(
    transaction,
    commands.filter(isKeyed).filter(({ eventId }) => stored.has(eventId)),
  );
  return { stored, held, performed, trackingIds };
}

/** Thrown where another transaction has held an event for too long. */
export class EventHeld extends Error {}

async function waitForEvents(transaction: Queryable, ids: readonly Uuid[]): Promise<FreeEvents> {
  try {
    const [stored] = await together(lockStoredEvents(transaction, ids), transaction.query(LONGEST_WAIT));
    return { stored, held: new Set() };
  } catch (error) {
    if (!isSqlError(error, 'lockNotAvailable')) throw error;
    throw new EventHeld('the event is held', { cause: error });
  }
}
