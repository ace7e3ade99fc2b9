import { MIB } from '../../kernel/domain/bytes.js';
import type { AuditRow } from './audit-row.js';

/**
 * How much may wait to be written: some seconds of a process's answers, and no more memory than one large answer takes.
 */
const MOST = { rows: 50_000, bytes: 64 * MIB };
/** How much goes into one statement. */
const BATCH = { rows: 1_000, bytes: 4 * MIB };

interface Bound {
  readonly rows: number;
  /** UTF-16 code units of JSON text, which are bytes where text is ASCII. */
  readonly bytes: number;
}

/** Audit rows that wait to be written, oldest first; limited in number and size. */
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

  /** Whether there was room for it. */
  add(row: AuditRow): boolean {
    if (this.isFull) return false;
    this.rows.push(row);
    this.bytes += row.members.length;
    return true;
  }

  /** One row above the limit may be of the largest size: what counts is that the next one is refused. */
  get isFull(): boolean {
    return this.rows.length >= this.most.rows || this.bytes >= this.most.bytes;
  }

  /** The oldest rows, as many as one statement takes; at least one, if there is any. */
  first(): readonly AuditRow[] {
    let bytes = 0;
    const end = this.rows.findIndex((row, at) => {
      bytes += row.members.length;
      return at > 0 && (at >= this.batch.rows || bytes > this.batch.bytes);
    });
    return end < 0 ? this.rows.slice() : this.rows.slice(0, end);
  }

  /** They have been written. */
  drop(count: number): void {
    for (const { members } of this.rows.splice(0, count)) this.bytes -= members.length;
  }
}
