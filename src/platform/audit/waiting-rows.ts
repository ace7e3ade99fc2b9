import { MIB } from '../../kernel/domain/bytes.js';
import type { AuditRow } from './audit-row.js';

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
