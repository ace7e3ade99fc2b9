import { Injectable } from '@nestjs/common';

import type { Caller } from '../../kernel/domain/scopes/caller.js';
import type { Queryable } from '../database/connection/queryable.js';
import type { Sql } from '../../kernel/sql/sql.js';
import type { Actor, AuditEntry } from './audit-entry.js';
import { auditRow, insertedRows, writeRows } from './audit-row.js';
import { AuditWriter, unwritten } from './audit-writer.js';

/** Records what was found, before it is sent: how many records match, and the ids of those that are sent. */
export type NoteFound = (total: number, ids: readonly string[]) => void;

/** How many ids are stored of one search (S-16). */
const MOST_IDS = 100;

/** Who did what (I-2): each operation of a system client, and each administrative act. */
@Injectable()
export class AuditLog {
  constructor(private readonly writer: AuditWriter) {}

  /**
   * Records an act in its own transaction. Throws 503 SERVICE_UNAVAILABLE if there was no partition for the row: the
   * next attempt finds one.
   */
  async record(transaction: Queryable, entry: AuditEntry): Promise<void> {
    try {
      await writeRows(transaction, [auditRow(entry)], { again: false });
    } catch (error) {
      throw (await this.isMended(error)) ? unwritten(error) : error;
    }
  }

  /** Whether a transaction failed because there was no partition for one of its rows, and would not fail again. */
  isMended(error: unknown): Promise<boolean> {
    return this.writer.isMended(error);
  }

  /** The same for several acts of one transaction, as changes for `oneStatement`. */
  insertions(entries: readonly AuditEntry[]): readonly Sql[] {
    if (entries.length === 0) return [];
    return [
      insertedRows(
        entries.map((entry) => auditRow(entry)),
        { again: false },
      ),
    ];
  }

  /**
   * Records what no transaction does, such as a read: committed within 50 ms. Call this before the answer is sent.
   * Throws 503 SERVICE_UNAVAILABLE while nothing can be written.
   */
  note(entry: AuditEntry): void {
    this.writer.put(auditRow(entry));
  }

  /**
   * Call this before a search, and the returned function before the answer is sent. Undefined for an administrator,
   * whose searches are not recorded (S-16). Throws 503 SERVICE_UNAVAILABLE while nothing can be written, and so does
   * the function.
   */
  search(caller: Caller, request: unknown): NoteFound | undefined {
    const note = this.searched(caller, request);
    return (
      note &&
      ((total, ids) => {
        note({ total, eventIds: ids.slice(0, MOST_IDS) });
      })
    );
  }

  /** The same for a request of totals alone (S-17). */
  counts(caller: Caller, request: unknown): ((totals: readonly number[]) => void) | undefined {
    const note = this.searched(caller, request);
    return (
      note &&
      ((totals) => {
        note({ totals });
      })
    );
  }

  private searched({ subject, userType }: Caller, request: unknown): ((summary: object) => void) | undefined {
    if (userType !== 'system') return undefined;
    this.writer.admit();
    return (responseSummary) => {
      this.note({ ...systemClient(subject), operation: 'event.search', requestData: request, responseSummary });
    };
  }
}

const systemClient = (clientId: string): Actor => ({ clientId, clientType: 'system' });
