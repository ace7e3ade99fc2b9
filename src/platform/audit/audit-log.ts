import { Injectable } from '@nestjs/common';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import type { Queryable } from '../database/connection/queryable.js';
import type { Sql } from '../../kernel/sql/sql.js';
import { type Actor, type AuditEntry, auditRow, insertedRows, writeRows } from './audit-entry.js';
import { AuditWriter } from './audit-writer.js';

/** Records matches and the ids sent, before the answer. */
export type NoteFound = (total: number, ids: readonly string[]) => void;

/** Per search (S-16). */
const MOST_IDS = 100;

/** The audit log: operations of system clients and administrative acts (I-2). */
@Injectable()
export class AuditLog {
  constructor(private readonly writer: AuditWriter) {}

  record(transaction: Queryable, entry: AuditEntry): Promise<void> {
    return writeRows(transaction, [auditRow(entry)], { again: false });
  }

  insertions(entries: readonly AuditEntry[]): readonly Sql[] {
    const rows = entries.map((entry) => auditRow(entry));
    return rows.length === 0 ? [] : [insertedRows(rows, { again: false })];
  }

  /** For operations without a transaction; committed within 50 ms. Call before answering. Throws 503. */
  note(entry: AuditEntry): void {
    this.writer.put(auditRow(entry));
  }

  /** Call before a search, the result before the answer; not for administrators (S-16). Throws 503. */
  search(caller: Caller, request: unknown): NoteFound | undefined {
    const note = this.searched(caller, request);
    return (
      note &&
      ((total, ids) => {
        note({ total, eventIds: ids.slice(0, MOST_IDS) });
      })
    );
  }

  /** As `search`, for totals alone (S-17). */
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
