import type { Counter, Histogram } from 'prom-client';
import { identifier, Sql, sql } from '../../kernel/sql/sql.js';
import type { Queryable } from '../database/connection/queryable.js';
import { counted, type MetricName, type Metrics } from '../metrics/metrics.js';
import type { AttemptNote } from './outcome.js';

/** An outbox by the name in its metrics, its table, and the gauge of its backlog. */
interface Measured {
  readonly name: 'webhook' | 'confirmation' | 'notice';
  readonly table: Sql;
  readonly backlog: MetricName<'gauge'>;
  /** Statuses that the gauge shows beside `pending`; undefined: it has no labels. */
  readonly statuses?: readonly string[];
}

/** The metrics of an outbox (G-10): the attempts of this process, and the backlog of all processes. */
export class OutboxMetrics {
  private readonly attempts: Counter;
  private readonly durations: Histogram | undefined;
  private readonly waits: Histogram;

  constructor(metrics: Metrics, database: Queryable, { name, table, backlog, statuses }: Measured) {
    this.attempts = metrics.counter(`matricula_${name}_attempts_total`);
    this.durations = name === 'notice' ? undefined : metrics.histogram(`matricula_${name}_attempt_duration_seconds`);
    this.waits = metrics.histogram(`matricula_${name}_wait_seconds`);
    const count = counted(() => countBacklog(database, table, statuses ?? []));
    metrics.read(backlog, async () => {
      const found = await count();
      if (statuses === undefined) return found?.['pending'];
      return found && ['pending', ...statuses].map((status) => [{ status }, found[status] ?? 0] as const);
    });
    metrics.read(`matricula_${name}_oldest_pending_age_seconds`, async () => (await count())?.['oldest']);
  }

  /** `waitedMs`: from when it was due until it began. */
  observe(labels: Readonly<Record<string, string>>, note: AttemptNote, waitedMs: number): void {
    this.attempts.inc({ ...labels, answer: answerOf(note) });
    this.durations?.observe(note.durationMs / 1_000);
    this.waits.observe(Math.max(0, waitedMs) / 1_000);
  }
}

/** The label of an attempt: `2xx`, or the class of failure without an answer, such as `timeout`: a fixed set. */
const answerOf = ({ status, error }: AttemptNote): string =>
  status === null ? (error ?? '').split(':', 1).join() : `${Math.floor(status / 100)}xx`;

/** Rows by status, and the age of the oldest pending one in seconds. */
async function countBacklog(
  database: Queryable,
  table: Sql,
  statuses: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  // Written out, as the indexes are partial.
  const counts = statuses.map(
    (status) => sql`, (select count(*)::int from ${table} where status = ${Sql.of([`'${status}'`], [])})
                      as ${identifier(status)}`,
  );
  const [row] = await database.query<Readonly<Record<string, number>>>(sql`
    select pending.* ${Sql.join(counts, '')}
      from (select count(*)::int as pending,
                   coalesce(greatest(extract(epoch from now() - min(created_at)), 0), 0)::float8 as oldest
              from ${table} where status = 'pending') pending`);
  if (row === undefined) throw new Error('nothing was counted');
  return row;
}
