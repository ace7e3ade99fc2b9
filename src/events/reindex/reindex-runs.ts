import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql, type Sql } from '../../kernel/sql/sql.js';
import { type Actor, type AuditEntry, auditRow, CLI, insertedRows } from '../../platform/audit/audit-entry.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { ADVISORY_LOCKS } from '../../platform/database/connection/advisory-locks.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { Database } from '../../platform/database/pools/database.js';

/** `done` of `total`, or a text. */
export type ReindexProgress =
  | { readonly step: 'events' | 'indexes'; readonly done: number; readonly total: number; readonly note?: string }
  | { readonly step: 'begin' | 'swap'; readonly note: string };

const EVERY_MS = 1_000;

/** The audit entry of a run's begin (I-2). */
const beginOf = (id: string, by: Actor): AuditEntry => ({
  ...by,
  operation: 'event.reindex',
  requestData: {},
  responseSummary: { id },
});

/** Ends a run that is recorded as running. */
const endRun = (
  database: Queryable,
  id: string,
  { status, message = null, events = null }: { status: string; message?: string | null; events?: number | null },
): Promise<unknown> =>
  database.query(sql`
    update reindex_run
       set status = ${status}, error_message = ${message}, processed = coalesce(${events}::int, processed), completed_at = now()
     where id = ${id} and status = 'running'`);

const failLost = (where: Sql): Sql => sql`
  update reindex_run set status = 'failed', error_message = 'its process ended before it did', completed_at = now()
   where status = 'running' and ${where}`;

/** Maintains `reindex_run`; requires the lock of a reindex. */
export class RecordedRun {
  private readonly id: string;
  private writtenAtMs = -Infinity;
  private writing: Promise<unknown> = Promise.resolve();

  /** Without `registered` id the run registers itself. */
  constructor(
    private readonly database: Queryable,
    private readonly registered: string | undefined,
  ) {
    this.id = registered ?? randomUUID();
  }

  /** Runs without the lock have no process. */
  async begin(): Promise<void> {
    await this.database.query(failLost(sql`id <> ${this.id}`));
    const begun = sql`
      insert into reindex_run (id) values (${this.id})
          on conflict (id) do update set status = 'running', error_message = null, completed_at = null`;
    const entry = insertedRows([auditRow(beginOf(this.id, CLI))], { again: false });
    await this.database.query(this.registered === undefined ? sql`with begun as (${begun}) ${entry}` : begun);
  }

  progress(progress: ReindexProgress): void {
    if (progress.step !== 'events' || performance.now() - this.writtenAtMs < EVERY_MS) return;
    this.writtenAtMs = performance.now();
    // Not worth a failure.
    this.writing = this.database
      .query(sql`update reindex_run set processed = ${progress.done} where id = ${this.id}`)
      .catch(() => undefined);
  }

  async complete(events: number): Promise<void> {
    await this.writing;
    await endRun(this.database, this.id, { status: 'completed', events });
  }

  /** Only the log gets the cause, which may quote records. */
  async fail(error: unknown): Promise<void> {
    await this.writing;
    const message = error instanceof ServiceError ? error.message : 'it failed; its process says why';
    await endRun(this.database, this.id, { status: 'failed', message });
  }
}

export interface ReindexRun {
  readonly id: Uuid;
  readonly startedAt: Date;
  readonly status: 'running' | 'completed' | 'failed';
  readonly processed: number;
  readonly errorMessage: string | null;
  readonly completedAt: Date | null;
}

/** Until a process has the lock. */
const START_SECONDS = 60;

/** Whether a process holds the lock of a reindex. */
const IS_LOCKED = sql`exists (
  select from pg_locks
   where locktype = 'advisory' and granted and objsubid = 1 and classid = 0 and objid = ${ADVISORY_LOCKS.reindex}::oid
     and database = (select oid from pg_database where datname = current_database()))`;

/** Its process exists or was just started. */
const IS_RUNNING = sql`(${IS_LOCKED} or started_at > now() - ${START_SECONDS} * interval '1 second')`;

/** The register of runs (I-5), of all processes. */
@Injectable()
export class ReindexRuns {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /** Throws 409 while another one is running. */
  async begin(by: Actor): Promise<Uuid> {
    const id = newUuid();
    await this.database.transaction(async (transaction) => {
      await transaction.query(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.reindexRuns}::bigint)`);
      await transaction.query(FAIL_DEAD);
      const begun = await transaction.query(sql`
        insert into reindex_run (id) select ${id}
         where not ${IS_LOCKED} and not exists (select from reindex_run where status = 'running') returning id`);
      if (begun.length === 0) throw new ServiceError('CONFLICT', 'Another reindex is running.');
      await this.audit.record(transaction, beginOf(id, by));
    });
    return id;
  }

  /** Newest first. A run without a process has failed. */
  async list(limit: number): Promise<ReindexRun[]> {
    await this.database.query(FAIL_DEAD);
    return this.database.query<ReindexRun>(sql`${RUNS} order by started_at desc, id limit ${limit}`);
  }

  async find(id: Uuid): Promise<ReindexRun | undefined> {
    const [run] = await this.database.query<ReindexRun>(sql`${RUNS} where id = ${id}`);
    return run;
  }

  /** Ends a run still recorded as running. */
  async fail(id: Uuid, message: string): Promise<void> {
    await endRun(this.database, id, { status: 'failed', message });
  }
}

const RUNS = sql`
  select id, started_at as "startedAt", status, processed, error_message as "errorMessage", completed_at as "completedAt"
    from reindex_run`;

const FAIL_DEAD = failLost(sql`not ${IS_RUNNING}`);
