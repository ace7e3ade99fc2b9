import { randomUUID } from 'node:crypto';
import { type Actor, type AuditEntry, CLI } from '../../platform/audit/audit-entry.js';
import { auditRow, insertedRows } from '../../platform/audit/audit-row.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';

/** `done` of `total`, or a text. */
export type ReindexProgress =
  | { readonly step: 'events' | 'indexes'; readonly done: number; readonly total: number; readonly note?: string }
  | { readonly step: 'begin' | 'swap'; readonly note: string };

const EVERY_MS = 1_000;

/** The audit entry of a run's begin (I-2). */
export const beginOf = (id: string, by: Actor): AuditEntry => ({
  ...by,
  operation: 'event.reindex',
  requestData: {},
  responseSummary: { id },
});

/** Maintains `reindex_run`; requires the lock of a reindex. */
export class RecordedRun {
  private readonly id: string;
  private readonly isRegistered: boolean;
  private writtenAtMs = -Infinity;
  private writing: Promise<unknown> = Promise.resolve();

  /** Without `id` the run registers itself. */
  constructor(
    private readonly database: Queryable,
    id: string | undefined,
  ) {
    this.isRegistered = id !== undefined;
    this.id = id ?? randomUUID();
  }

  /** Runs without the lock have no process. */
  async begin(): Promise<void> {
    await this.database.query(sql`
      update reindex_run set status = 'failed', error_message = 'its process ended before it did', completed_at = now()
       where status = 'running' and id <> ${this.id}`);
    const begun = sql`
      insert into reindex_run (id) values (${this.id})
          on conflict (id) do update set status = 'running', error_message = null, completed_at = null`;
    const entry = insertedRows([auditRow(beginOf(this.id, CLI))], { again: false });
    await this.database.query(this.isRegistered ? begun : sql`with begun as (${begun}) ${entry}`);
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
    await this.database.query(sql`
      update reindex_run set status = 'completed', processed = ${events}, completed_at = now() where id = ${this.id}`);
  }

  /** Only the log gets the cause, which may quote records. */
  async fail(error: unknown): Promise<void> {
    const message = error instanceof ServiceError ? error.message : 'it failed; its process says why';
    await this.writing;
    await this.database.query(sql`
      update reindex_run set status = 'failed', error_message = ${message}, completed_at = now() where id = ${this.id}`);
  }
}
