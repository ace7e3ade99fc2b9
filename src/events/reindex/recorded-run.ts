import { randomUUID } from 'node:crypto';
import { type Actor, type AuditEntry, CLI } from '../../platform/audit/audit-entry.js';
import { auditRow, insertedRows } from '../../platform/audit/audit-row.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';

/** The progress of a reindex: `done` of `total` in the unit of the step, or in words. */
export type ReindexProgress =
  | { readonly step: 'events' | 'indexes'; readonly done: number; readonly total: number; readonly note?: string }
  | { readonly step: 'begin' | 'swap'; readonly note: string };

/** How often its progress is written. */
const EVERY_MS = 1_000;

/** What the audit log says of a run that begins (I-2). */
export const beginOf = (id: string, by: Actor): AuditEntry => ({
  ...by,
  operation: 'event.reindex',
  requestData: {},
  responseSummary: { id },
});

/** Writes what becomes of one run of a reindex into `reindex_run`, once it has the lock of a reindex. */
export class RecordedRun {
  private readonly id: string;
  private readonly isRegistered: boolean;
  private writtenAtMs = -Infinity;
  private writing: Promise<unknown> = Promise.resolve();

  /** `id` is that of a run that was registered before; without it the run registers itself, as the command line's. */
  constructor(
    private readonly database: Queryable,
    id: string | undefined,
  ) {
    this.isRegistered = id !== undefined;
    this.id = id ?? randomUUID();
  }

  /** Others that are said to be running have no lock, and so no process. */
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
    // It is of use to whoever looks, and not worth failing for.
    this.writing = this.database
      .query(sql`update reindex_run set processed = ${progress.done} where id = ${this.id}`)
      .catch(() => undefined);
  }

  async complete(events: number): Promise<void> {
    await this.writing;
    await this.database.query(sql`
      update reindex_run set status = 'completed', processed = ${events}, completed_at = now() where id = ${this.id}`);
  }

  /** The cause is for the log of the process: it may quote what is in records. */
  async fail(error: unknown): Promise<void> {
    const message = error instanceof ServiceError ? error.message : 'it failed; its process says why';
    await this.writing;
    await this.database.query(sql`
      update reindex_run set status = 'failed', error_message = ${message}, completed_at = now() where id = ${this.id}`);
  }
}
