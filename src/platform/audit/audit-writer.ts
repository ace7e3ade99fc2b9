import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { MIB } from '../../kernel/domain/bytes.js';
import { HOUR_MS } from '../../kernel/domain/calendar.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import type { Queryable } from '../database/connection/queryable.js';
import { waitAtMost } from '../database/connection/within-deadline.js';
import type { Connections } from '../database/pools/connections.js';
import { AuditDatabase } from '../database/pools/pools.js';
import type { Job } from '../jobs/jobs.js';
import { type AuditRow, writeRows } from './audit-entry.js';

/** Seconds of a process's answers, in no more memory than one large answer. */
const MOST = { rows: 50_000, bytes: 64 * MIB };
const BATCH = { rows: 1_000, bytes: 4 * MIB };

interface Bound {
  readonly rows: number;
  /** UTF-16 code units of JSON text. */
  readonly bytes: number;
}

export class WaitingRows {
  private rows: AuditRow[] = [];
  private bytes = 0;

  constructor(
    private readonly most: Bound = MOST,
    private readonly batch: Bound = BATCH,
  ) {}

  get count(): number {
    return this.rows.length;
  }

  /** False if full. */
  add(row: AuditRow): boolean {
    if (this.isFull) return false;
    this.rows.push(row);
    this.bytes += row.members.length;
    return true;
  }

  /** One row may exceed the limit; the next is refused. */
  get isFull(): boolean {
    return this.rows.length >= this.most.rows || this.bytes >= this.most.bytes;
  }

  /** One statement's worth of the oldest rows; at least one, if any. */
  first(): readonly AuditRow[] {
    let bytes = 0;
    const end = this.rows.findIndex((row, at) => {
      bytes += row.members.length;
      return at > 0 && (at >= this.batch.rows || bytes > this.batch.bytes);
    });
    return end < 0 ? this.rows.slice() : this.rows.slice(0, end);
  }

  drop(count: number): void {
    for (const { members } of this.rows.splice(0, count)) this.bytes -= members.length;
  }
}

/** Collection time; with the write under 50 ms (I-2). */
const GATHER_MS = 20;
const RETRY_MS = 250;
/** Reads are refused after this long without a write (I-2). */
const REFUSE_AFTER_MS = 5_000;
const LAST_MS = 3_000;
const RETRY_AFTER_SECONDS = '5';

/** Writes queued audit rows outside of transactions, all in one statement; failed rows are retried. */
@Injectable()
export class AuditWriter implements OnModuleInit, OnModuleDestroy {
  private readonly log = new Logger(AuditWriter.name);
  private readonly waiting = new WaitingRows();
  private running: Promise<void> | undefined;
  private tryingSinceMs: number | undefined;
  private endsAtMs = Infinity;
  written = 0;
  failed = 0;

  constructor(private readonly database: AuditDatabase) {}

  get waitingCount(): number {
    return this.waiting.count;
  }

  /** Throws 503 SERVICE_UNAVAILABLE while rows cannot be written: unrecordable operations must not happen. */
  admit(): void {
    const isStuck = this.tryingSinceMs !== undefined && performance.now() - this.tryingSinceMs > REFUSE_AFTER_MS;
    if (isStuck || this.waiting.isFull) throw unwritten();
  }

  put(row: AuditRow): void {
    this.admit();
    this.waiting.add(row);
    this.running ??= this.run();
  }

  /** For commands too, on a database that no service has looked after for months. */
  async onModuleInit(): Promise<void> {
    await upkeep(this.database).catch((error: unknown) => {
      this.log.warn(UPKEEP_FAILED, error);
    });
  }

  /** Writes waiting rows within the time that shutdown allows. */
  async onModuleDestroy(): Promise<void> {
    this.endsAtMs = performance.now() + LAST_MS;
    await waitAtMost(LAST_MS, this.running);
    if (this.waiting.count > 0) this.log.error(`${this.waiting.count} rows of the audit log could not be written`);
    await waitAtMost(LAST_MS, this.database.close());
  }

  private async run(): Promise<void> {
    let pauseMs = GATHER_MS;
    try {
      while (this.waiting.count > 0 && performance.now() < this.endsAtMs) {
        await sleep(pauseMs);
        pauseMs = (await this.writeBatch()) ? GATHER_MS : RETRY_MS;
      }
    } finally {
      // At once: a row queued in between would otherwise wait.
      this.running = undefined;
    }
  }

  private async writeBatch(): Promise<boolean> {
    const batch = this.waiting.first();
    const again = this.tryingSinceMs !== undefined;
    this.tryingSinceMs ??= performance.now();
    try {
      await this.database.transaction((transaction) => writeRows(transaction, batch, { again }));
    } catch (error) {
      this.failed += 1;
      if (!again) this.log.warn('rows of the audit log cannot be written; they wait', error);
      return false;
    }
    if (again) this.log.warn('the audit log is written again');
    this.waiting.drop(batch.length);
    this.tryingSinceMs = undefined;
    this.written += batch.length;
    return true;
  }
}

const unwritten = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'The audit log cannot be written; nothing is answered that it should hold', {
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
    refusal: 'audit-unwritten',
  });

/** One transaction a month; those left when `signal` aborts are counted by the next run. */
export async function countMonths(connections: Connections, signal?: AbortSignal): Promise<void> {
  while (signal?.aborted !== true) {
    const [step] = await connections.query<{ readonly done: boolean }>(STEP, signal);
    if (step?.done !== true) return;
  }
}

const STEP = sql`select audit_count_months() as done`;

const UPKEEP_FAILED = 'partitions of the audit log could not be looked after; in an hour it is tried again';

export async function upkeep(queryable: Queryable): Promise<void> {
  await queryable.query(sql`select audit_upkeep()`);
}

/**
 * Creates coming partitions and drops expired ones (`audit_upkeep()`) at start and hourly; counts past months.
 * Processes take turns and skip finished work. `patient`: counting a month may take minutes, and no search waits for it.
 */
export const auditUpkeep = (database: Queryable, patient: Connections): Job => ({
  name: 'AuditUpkeep',
  everyMs: HOUR_MS,
  failure: UPKEEP_FAILED,
  work: async (signal) => {
    await upkeep(database);
    await countMonths(patient, signal).catch((error: unknown) => {
      if (signal.aborted) return;
      const line = 'months of the audit log could not be counted; pages of it count their rows meanwhile';
      new Logger('AuditUpkeep').warn(line, error);
    });
  },
});
