import { type Cursor, writeCursor } from '../dto/page.js';
import { type Instant, toInstant } from '../../kernel/domain/calendar.js';
import { MIB } from '../../kernel/domain/bytes.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import type { Actor, AuditEntry } from '../audit/audit-entry.js';
import type { AuditLog } from '../audit/audit-log.js';
import { inPortions, type Queryable, retryingDeadlocks } from '../database/connection/queryable.js';
import type { Database } from '../database/pools/database.js';
import { closedObject, dateTime } from '../dto/schemas.js';

export const MOST_LISTED = 1_000;
const MOST_REPLAYED = 1_000;
/** How many attempts of a row are kept when it is replayed, the latest. */
const MOST_KEPT = 100;
/** How many attempts of a row are shown, the latest. */
const MOST_SHOWN = 20;
/** The attempts of a page as JSON: the answers of one row may take 20 kB. A page has one row at least. */
const MOST_PAGE_BYTES = 2 * MIB;
const MOST_READ = 50;

/** Runs a part of longer work in a turn. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** The table of an outbox and that of its attempts. In each expression `d` is a row. */
export interface OutboxTable {
  readonly table: Sql;
  readonly key: Sql;
  readonly attempts: Sql;
  /** The column of `attempts` that holds the key. */
  readonly attemptOf: Sql;
  /** The columns of the order in which rows were added, ascending and descending. */
  readonly order: readonly [Sql, Sql];
  /** The position of a row in that order, as text. */
  readonly position: Sql;
  /** Whether a row comes before (`<`) or after (`>`) a position. */
  readonly isBeyond: (direction: Sql, position: string) => Sql;
  /** The members of `LogView` that rows of this outbox alone have, as a JSON object. */
  readonly own: Sql;
  readonly operation: AuditEntry['operation'];
}

export interface AttemptView {
  readonly at: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly response: string | null;
}

/** A row as the log lists it, with its latest attempts; `Own`: what rows of this outbox have beside that. */
export type LogView<Own, Status> = Own & {
  readonly status: Status;
  readonly createdAt: Instant;
  readonly nextAttemptAt: Instant | null;
  readonly attempts: readonly AttemptView[];
};

interface LogRow<Own, Status> {
  readonly own: Own;
  readonly status: Status;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
  readonly attempts: readonly AttemptView[];
  readonly position: string;
  readonly bytes: number;
}

interface LogQuestion<Status> {
  readonly where: Sql;
  readonly status: Status | undefined;
  readonly limit: number;
  /** Where the page before ends. */
  readonly cursor: Cursor | undefined;
}

interface ReplayQuestion {
  readonly where: Sql;
  readonly status: string;
  /** The rows to replay, among those looked at. */
  readonly isWanted: Sql;
  readonly asked: Asked;
}

type Asked = Pick<AuditEntry, keyof Actor | 'requestData'>;

interface Replayed {
  readonly found: number;
  readonly replayed: number;
  /** Null if it found nothing. */
  readonly last: string | null;
}

/** The log of an outbox, and its replay (W-10, E-15). */
export class OutboxLog<Own extends object, Status extends string> {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly outbox: OutboxTable,
    private readonly announce: () => void,
  ) {}

  /** Rows, newest first: `limit` of them, or fewer where their attempts are long (Q-1). */
  async page({ limit, cursor, ...question }: LogQuestion<Status>): Promise<{
    readonly views: readonly LogView<Own, Status>[];
    /** For the next page; null if there is none. */
    readonly cursor: string | null;
  }> {
    const rows: LogRow<Own, Status>[] = [];
    let bytes = 0;
    for (let isMore = true; isMore;) {
      const most = Math.min(MOST_READ, limit + 1 - rows.length);
      const part = await this.read(question, rows.at(-1) ?? cursor, most);
      for (const row of part) {
        bytes += row.bytes;
        const isFull = rows.length === limit || (rows.length > 0 && bytes > MOST_PAGE_BYTES);
        const last = rows.at(-1);
        if (isFull && last !== undefined) return { views: rows.map(viewOf), cursor: writeCursor(last) };
        rows.push(row);
      }
      isMore = part.length === most;
    }
    return { views: rows.map(viewOf), cursor: null };
  }

  private read(
    { where, status }: Pick<LogQuestion<Status>, 'where' | 'status'>,
    after: Cursor | undefined,
    most: number,
  ): Promise<LogRow<Own, Status>[]> {
    const { table, key, own, attempts, attemptOf, order, position, isBeyond } = this.outbox;
    return this.database.query<LogRow<Own, Status>>(sql`
      select *, octet_length(attempts::text) as bytes from (
        select ${own} as own, d.status, d.created_at as "createdAt", d.next_attempt_at as "nextAttemptAt",
               ${position} as position, (
                 select coalesce(json_agg(json_build_object('at', a.at, 'durationMs', a.duration_ms, 'status', a.status,
                                                            'error', a.error, 'response', a.response) order by a.at), '[]')
                   from (select * from ${attempts} where ${attemptOf} = d.${key} order by at desc limit ${MOST_SHOWN}) a
               ) as attempts
          from ${table} d
         where ${where} and (${status ?? null}::text is null or d.status = ${status ?? null})
           and ${after === undefined ? sql`true` : isBeyond(sql`<`, after.position)}
         order by ${order[1]} limit ${most}) part`);
  }

  /** Replays a row with this key of those `where`; `settled` if `mayBeReplayed` does not hold for it. */
  async replayOne(
    key: string,
    { where, mayBeReplayed, asked }: { readonly where: Sql; readonly mayBeReplayed: Sql; readonly asked: Asked },
  ): Promise<'replayed' | 'settled' | 'unknown'> {
    const { outbox } = this;
    const { found, replayed } = await this.replayPart(
      sql`select d.${outbox.key} as id, ${mayBeReplayed} as is_wanted, ${outbox.position} as at
            from ${outbox.table} d where d.${outbox.key} = ${key}::uuid and ${where}`,
      mayBeReplayed,
      ({ found: looked }) => (looked > 0 ? asked : undefined),
    );
    if (replayed > 0) return 'replayed';
    return found > 0 ? 'settled' : 'unknown';
  }

  /**
   * Replays rows, the oldest first, in parts, each a transaction and a turn of its own: others come in between, and what
   * is done stays done if a turn is refused. Resolves with their number. Later parts without any leave no audit row.
   */
  async replay({ where, status, isWanted, asked }: ReplayQuestion, inTurn: InTurn = (work) => work()): Promise<number> {
    const { table, key, order, position, isBeyond } = this.outbox;
    let sum = 0;
    for (let after: string | null = null, isMore = true; isMore;) {
      const begin: string | null = after;
      const part: Replayed = await inTurn(() =>
        this.replayPart(
          sql`select d.${key} as id, ${isWanted} as is_wanted, ${position} as at from ${table} d
               where ${where} and d.status = ${status} and ${begin === null ? sql`true` : isBeyond(sql`>`, begin)}
               order by ${order[0]} limit ${MOST_REPLAYED}`,
          sql`d.status = ${status}`,
          ({ replayed }) => (begin === null || replayed > 0 ? asked : undefined),
        ),
      );
      sum += part.replayed;
      isMore = part.found === MOST_REPLAYED;
      after = part.last;
    }
    return sum;
  }

  /**
   * An exchange in progress continues; its outcome counts, except a failure, which the replay follows. Rows are locked in
   * the order of their keys, as by others that replay; what records attempts has another order.
   */
  private async replayPart(
    part: Sql,
    mayBeReplayed: Sql,
    noted: (replayed: Replayed) => Asked | undefined,
  ): Promise<Replayed> {
    const { table, key, attempts, attemptOf, operation } = this.outbox;
    const replayed = await retryingDeadlocks(() =>
      this.database.transaction(async (transaction) => {
        const [row] = await transaction.query<Replayed>(sql`
          with part as (
            select *, row_number() over () as nth from (${part}) found
          ), chosen as (
            select d.${key} as id from ${table} d join part on part.id = d.${key}
             where part.is_wanted and ${mayBeReplayed} order by d.${key} for update of d
          ), replayed as (
            update ${table} d set status = 'pending', failures = 0, next_attempt_at = now()
              from chosen
             where d.${key} = chosen.id and (d.status <> 'pending' or d.failures > 0 or d.next_attempt_at > now())
          ), forgotten as (
            -- Only replays make more attempts than the schedule has.
            delete from ${attempts} a using chosen
             where a.${attemptOf} = chosen.id
               and a.at < (select at from ${attempts}
                            where ${attemptOf} = chosen.id order by at desc offset ${MOST_KEPT - 1} limit 1)
          )
          select (select count(*)::int from part) as found, (select count(*)::int from chosen) as replayed,
                 (select at from part order by nth desc limit 1) as last`);
        if (row === undefined) throw new Error('the database did not say how many rows are replayed');
        const asked = noted(row);
        if (asked !== undefined) {
          const responseSummary = { replayed: row.replayed };
          await this.audit.record(transaction, { ...asked, operation, responseSummary });
        }
        return row;
      }),
    );
    this.announce();
    return replayed;
  }
}

const viewOf = <Own extends object, Status>({
  own,
  status,
  createdAt,
  nextAttemptAt,
  attempts,
}: LogRow<Own, Status>): LogView<Own, Status> => ({
  ...own,
  status,
  createdAt: toInstant(createdAt),
  nextAttemptAt: nextAttemptAt && toInstant(nextAttemptAt),
  attempts: attempts.map((attempt) => ({ ...attempt, at: toInstant(new Date(attempt.at)) })),
});

/** Removes rows that were settled more than `days` ago, of those `where`; resolves with their number. */
export const removeSettled = (
  database: Queryable,
  { table, key, where = sql`true` }: Pick<OutboxTable, 'table' | 'key'> & { readonly where?: Sql },
  days: number,
  signal: AbortSignal | undefined,
): Promise<number> =>
  inPortions(
    database,
    (most) => sql`
      delete from ${table} where ${key} in (
        select ${key} from ${table} where ${where} and settled_at < now() - ${days}::float8 * interval '1 day'
         limit ${most} for update skip locked)
      returning 1`,
    signal,
  );

const nullable = (type: string): object => ({ type: [type, 'null'] });

export const ATTEMPTS_SCHEMA = {
  type: 'array',
  description: 'The latest 20, in the order in which they were made',
  items: closedObject({
    at: dateTime,
    durationMs: { type: 'integer', minimum: 0 },
    status: { ...nullable('integer'), description: 'HTTP status of the answer' },
    error: {
      ...nullable('string'),
      description:
        'What kept an answer from coming: `dns`, `connect`, `tls`, `timeout`, `reset`, `protocol`, `refused` or `internal`, with what is known of it; or, of a confirmation, why the answer cannot be used',
    },
    response: { ...nullable('string'), description: 'The first KiB of the answer' },
  }),
};

/** OpenAPI schema of how many rows of an outbox are made again. */
export const REPLAYED_SCHEMA = closedObject({ replayed: { type: 'integer', minimum: 0 } });
