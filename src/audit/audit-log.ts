import { Injectable } from '@nestjs/common';

import type { Caller } from '../access/caller.js';
import type { Queryable } from '../database/queryable.js';
import type { Actor, AuditEntry } from './audit-entry.js';
import { auditRow, writeRows } from './audit-row.js';
import { AuditWriter } from './audit-writer.js';

/** Takes down what was found, before it is sent: how many records match, and the ids of those that are sent. */
export type NoteFound = (total: number, ids: readonly string[]) => void;

/** Ids of so many records are kept of one search (S-16). */
const MOST_IDS = 100;

/** Who did what (I-2): each operation of a system client, and each administrative act. */
@Injectable()
export class AuditLog {
  constructor(private readonly writer: AuditWriter) {}

  /** Writes down an act in the transaction that does it. */
  record(transaction: Queryable, entry: AuditEntry): Promise<void> {
    return writeRows(transaction, [auditRow(entry)], { again: false });
  }

  /**
   * Writes down what no transaction does, such as a read: committed within 50 ms. To be called before the answer is sent.
   * Throws 503 SERVICE_UNAVAILABLE while nothing can be written.
   */
  note(entry: AuditEntry): void {
    this.writer.put(auditRow(entry));
  }

  /**
   * To be called before a search; what it yields before the answer is sent. Undefined for an administrator, whose
   * searches are not written down (S-16). Throws 503 SERVICE_UNAVAILABLE while nothing can be written, as that does.
   */
  search({ subject, userType }: Caller, request: unknown): NoteFound | undefined {
    if (userType !== 'system') return undefined;
    this.writer.admit();
    return (total, ids) => {
      const responseSummary = { total, eventIds: ids.slice(0, MOST_IDS) };
      this.note({ ...systemClient(subject), operation: 'event.search', requestData: request, responseSummary });
    };
  }
}

const systemClient = (clientId: string): Actor => ({ clientId, clientType: 'system' });
