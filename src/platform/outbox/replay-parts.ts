import { type Sql, sql } from '../../kernel/sql/sql.js';

/** How many rows of an outbox one statement looks at to make them again. */
export const MOST_REPLAYED = 1_000;

/** How many attempts of a row are kept when it is made again, the latest. */
const MOST_KEPT = 100;

/** Runs a part of longer work in a turn. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** The result of one part; `Position`: where it ends. */
export interface ReplayedPart<Position> {
  /** How many rows it looked at: fewer than `MOST_REPLAYED` in the last part. */
  readonly found: number;
  readonly replayed: number;
  /** Null if it found nothing. */
  readonly last: Position | null;
}

/**
 * Replays what is in an outbox in parts, each a transaction of its own and in a turn of its own: no statement holds very
 * many rows, what others wait for comes in between, and what is done stays done if a turn is refused. Resolves with the
 * number of replayed rows.
 */
export async function replayInParts<Position>(
  inTurn: InTurn,
  replayPart: (after: Position | null) => Promise<ReplayedPart<Position>>,
): Promise<number> {
  let replayed = 0;
  for (let after: Position | null = null, isMore = true; isMore;) {
    const part = await inTurn(() => replayPart(after));
    replayed += part.replayed;
    isMore = part.found === MOST_REPLAYED;
    after = part.last;
  }
  return replayed;
}

/** An outbox: its rows by `key`, and what was tried of them, by `attemptOf`. */
interface Outbox {
  readonly table: Sql;
  readonly key: Sql;
  readonly attempts: Sql;
  readonly attemptOf: Sql;
}

/**
 * Clauses of a WITH that make the rows again whose keys are the `id` of `chosen`; one that waits for that already stays
 * as it is. Attempts beyond the latest are forgotten here: only replays make more of them than the schedule has.
 */
export const madeAgain = ({ table, key, attempts, attemptOf }: Outbox): Sql => sql`
  replayed as (
    update ${table} d set status = 'pending', failures = 0, next_attempt_at = now()
      from chosen
     where d.${key} = chosen.id and (d.status <> 'pending' or d.failures > 0 or d.next_attempt_at > now())
  ), forgotten as (
    delete from ${attempts} a using chosen
     where a.${attemptOf} = chosen.id
       and a.at < (select at from ${attempts}
                    where ${attemptOf} = chosen.id order by at desc offset ${MOST_KEPT - 1} limit 1)
  )`;
