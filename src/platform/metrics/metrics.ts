import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

const EXCHANGE_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const WAIT_SECONDS = [...EXCHANGE_SECONDS, 30, 60, 300, 1_800];

/** Every metric beside those of the process (G-10): its name, type, help text and labels. */
const METRICS = [
  [
    'matricula_http_request_duration_seconds',
    'histogram',
    'Time from the head of a request to the end of its answer',
    'method',
    'route',
    'status',
  ],
  [
    'matricula_refusals_total',
    'counter',
    'Work that was turned away to protect the service, its database or its other clients',
    'refusal',
  ],
  ['matricula_database_pool_connections', 'gauge', 'Connections of the pool, and queries that wait for one', 'state'],
  [
    'matricula_search_reads_total',
    'counter',
    'Reads of searches by the server that did them: primary, or host:port/database of a replica',
    'server',
  ],
  ['matricula_replica_state', 'gauge', '1 for the state that a replica is in', 'server', 'state'],
  [
    'matricula_replica_lag_bytes',
    'gauge',
    'Bytes of the log of the primary that a replica had not replayed when it was last looked at',
    'server',
  ],
  [
    'matricula_revoked_tokens',
    'gauge',
    'Access tokens and sessions that ended before their time, in the memory of this process',
  ],
  ['matricula_audit_waiting_rows', 'gauge', 'Rows of the audit log that this process has not written yet'],
  ['matricula_audit_rows_total', 'counter', 'Rows of the audit log that this process has written beside transactions'],
  ['matricula_audit_failures_total', 'counter', 'Attempts to write them that failed; they are tried again'],
  [
    'matricula_event_writes_waiting',
    'gauge',
    'Operations on events that wait in this process for their turn, or for an event that another process changes',
  ],
  ['matricula_event_writes_waiting_bytes', 'gauge', 'What they hold in memory'],
  ['matricula_event_writes_running', 'gauge', 'Transactions of this process that write events, of at most two'],
  [
    'matricula_webhook_attempts_total',
    'counter',
    'Attempts of this process to deliver, by what became of the delivery and by the answer or what kept it from coming',
    'outcome',
    'answer',
  ],
  [
    'matricula_webhook_attempt_duration_seconds',
    'histogram',
    'Time that a subscriber took for an attempt, whatever came of it',
  ],
  ['matricula_webhook_wait_seconds', 'histogram', 'Time from when an attempt was due to when it began'],
  [
    'matricula_webhook_deliveries',
    'gauge',
    'Deliveries of all processes that are not made: pending ones, and dead ones, which can be replayed',
    'status',
  ],
  [
    'matricula_webhook_oldest_pending_age_seconds',
    'gauge',
    'Time since the oldest pending delivery of all processes was made; 0 when none is pending',
  ],
  [
    'matricula_webhook_unreadable_clients',
    'gauge',
    'Subscribed clients for whom everything waits, since this process could not read their sha_secret',
  ],
  [
    'matricula_confirmation_attempts_total',
    'counter',
    'Attempts of this process to have an action confirmed, by what came of it and by the answer',
    'outcome',
    'answer',
  ],
  [
    'matricula_confirmation_attempt_duration_seconds',
    'histogram',
    'Time that the country configuration took for an attempt, whatever came of it',
  ],
  ['matricula_confirmation_wait_seconds', 'histogram', 'Time from when an attempt was due to when it began'],
  [
    'matricula_confirmations',
    'gauge',
    'Requested actions of all processes without an outcome: pending, waiting for a later answer, and dead ones, which can be replayed',
    'status',
  ],
  [
    'matricula_confirmation_oldest_pending_age_seconds',
    'gauge',
    'Time since the oldest pending action of all processes was requested; 0 when none is pending',
  ],
  [
    'matricula_notice_attempts_total',
    'counter',
    'Attempts of this process to have a notice sent to a user, by event, outcome and answer',
    'event',
    'outcome',
    'answer',
  ],
  ['matricula_notice_wait_seconds', 'histogram', 'Time from when an attempt was due to when it began'],
  [
    'matricula_notices_unsent_total',
    'counter',
    'Notices to users that this process gave up, by the reason: dead after the last attempt, expired, or replaced by later ones',
    'reason',
  ],
  ['matricula_notices_pending', 'gauge', 'Notices of all processes that wait to be sent'],
  [
    'matricula_notice_oldest_pending_age_seconds',
    'gauge',
    'Time since the oldest pending notice of all processes was written; 0 when none is pending',
  ],
] as const;

type Row = (typeof METRICS)[number];
export type MetricName<T extends Row[1]> = Extract<Row, readonly [string, T, ...unknown[]]>[0];

const BUCKETS: Readonly<Record<MetricName<'histogram'>, readonly number[]>> = {
  matricula_http_request_duration_seconds: [0.001, 0.0025, ...EXCHANGE_SECONDS, 30],
  matricula_webhook_attempt_duration_seconds: [...EXCHANGE_SECONDS, 15, 30],
  matricula_webhook_wait_seconds: WAIT_SECONDS,
  matricula_confirmation_attempt_duration_seconds: [...EXCHANGE_SECONDS, 30],
  matricula_confirmation_wait_seconds: WAIT_SECONDS,
  matricula_notice_wait_seconds: WAIT_SECONDS,
};

/** A value; or one for each set of labels; undefined if it is not known. */
type Reading = number | readonly (readonly [Readonly<Record<string, string>>, number])[] | undefined;

/** How long a count is valid, however often it is asked for. */
const COUNTED_MS = 5_000;

/** The metrics of this process, each created when it is first used. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly counters = new Map<string, Counter>();
  private readonly histograms = new Map<string, Histogram>();

  counter(name: MetricName<'counter'>): Counter {
    const counter = this.counters.get(name) ?? new Counter(this.optionsOf(name));
    this.counters.set(name, counter);
    return counter;
  }

  histogram(name: MetricName<'histogram'>): Histogram {
    const known = this.histograms.get(name);
    const histogram = known ?? new Histogram({ ...this.optionsOf(name), buckets: [...BUCKETS[name]] });
    this.histograms.set(name, histogram);
    return histogram;
  }

  /** Reads the metric's value whenever the metrics are asked for. */
  read(name: MetricName<'counter' | 'gauge'>, reading: () => Reading | Promise<Reading>): void {
    const known = this.optionsOf(name);
    const collect = async (): Promise<void> => {
      const read = await reading();
      metric.reset();
      if (typeof read === 'object') for (const [labels, value] of read) metric.inc({ ...labels }, value);
      else if (known.labelNames.length === 0) metric.inc({}, read ?? NaN);
    };
    const metric = rowOf(name)[1] === 'gauge' ? new Gauge({ ...known, collect }) : new Counter({ ...known, collect });
  }

  private optionsOf(name: Row[0]): {
    readonly name: string;
    readonly help: string;
    readonly labelNames: readonly string[];
    readonly registers: Registry[];
  } {
    const [, , help, ...labelNames] = rowOf(name);
    return { name, help, labelNames, registers: [this.registry] };
  }
}

function rowOf(name: Row[0]): Row {
  const row = METRICS.find(([known]) => known === name);
  if (row === undefined) throw new RangeError(`not a metric: ${name}`);
  return row;
}

/** Counts when asked to, at most every five seconds; undefined if the database cannot be asked. */
export function counted<T>(count: () => Promise<T>): () => Promise<T | undefined> {
  let last: { readonly untilMs: number; readonly found: Promise<T | undefined> } | undefined;
  return () => {
    if (last === undefined || last.untilMs < performance.now()) {
      last = { untilMs: performance.now() + COUNTED_MS, found: count().catch(() => undefined) };
    }
    return last.found;
  };
}
