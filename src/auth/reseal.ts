import { Injectable } from '@nestjs/common';
import type { Actor } from '../platform/audit/audit-entry.js';
import { AuditLog } from '../platform/audit/audit-log.js';
import { Database } from '../platform/database/pools/database.js';
import { retryingDeadlocks } from '../platform/database/connection/queryable.js';
import { Sql, sql } from '../kernel/sql/sql.js';
import { purposeOfKeptKey } from './secrets/client-secret-hash.js';
import { purposeOfNotice } from './notices/notice-outbox.js';
import { SealedTextError, SecretsBox } from './secrets/secrets-box.js';
import { purposeOfShaSecret } from './clients/system-clients.js';
import { purposeOfSigningKey } from './tokens/signing-keys.js';

const AT_A_TIME = 500;
const MOST_NAMED = 20;

interface SealedColumn {
  readonly table: Sql;
  readonly id: Sql;
  readonly sealed: Sql;
  readonly purposeOf: (id: string) => string;
}

const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: sql`kept_key`, id: sql`name`, sealed: sql`key_sealed`, purposeOf: purposeOfKeptKey },
  { table: sql`signing_key`, id: sql`kid`, sealed: sql`private_key_sealed`, purposeOf: purposeOfSigningKey },
  { table: sql`system_client`, id: sql`client_id`, sealed: sql`sha_secret_sealed`, purposeOf: purposeOfShaSecret },
  // After the clients, from which replaced secrets are copied.
  {
    table: sql`replaced_sha_secret`,
    id: sql`client_id::text || ' ' || generation`,
    sealed: sql`sealed`,
    purposeOf: (id) => purposeOfShaSecret(id.split(' ', 1).join()),
  },
  { table: sql`user_notice`, id: sql`notice_id`, sealed: sql`body_sealed`, purposeOf: purposeOfNotice },
];

interface SealedRow {
  readonly id: string;
  readonly sealed: string;
}

/** Seals anew what is under `SECRETS_KEY_PREVIOUS` (P-6), while services know both keys. May be repeated. */
@Injectable()
export class Reseal {
  constructor(
    private readonly database: Database,
    private readonly box: SecretsBox,
    private readonly audit: AuditLog,
  ) {}

  /** Returns the number resealed. Throws `SealedTextError` for unreadable ones, after all others. */
  async run(by: Actor): Promise<number> {
    const unreadable: string[] = [];
    let resealed = 0;
    for (const column of SEALED_COLUMNS) {
      let after = '';
      for (;;) {
        const rows = await this.database.query<SealedRow>(
          sql`select ${column.id}::text as id, ${column.sealed} as sealed from ${column.table}
              where ${column.id}::text > ${after} and ${column.sealed} is not null
              order by ${column.id}::text limit ${AT_A_TIME}`,
        );
        if (rows.length === 0) break;
        after = rows.at(-1)?.id ?? '';
        resealed += await this.resealRows(column, rows, unreadable);
      }
    }
    await this.database.transaction((transaction) =>
      this.audit.record(transaction, {
        ...by,
        operation: 'keys.reseal',
        requestData: {},
        responseSummary: { secrets: resealed },
      }),
    );
    if (unreadable.length > 0) {
      const head = `${resealed} secrets were sealed anew; ${unreadable.length} could not be read, and stay as they are:`;
      const more = unreadable.length > MOST_NAMED ? ['and others'] : [];
      throw new SealedTextError([head, ...unreadable.slice(0, MOST_NAMED), ...more].join('\n'));
    }
    return resealed;
  }

  /** Concurrent writers use the current key. */
  private async resealRows(
    { table, id, sealed, purposeOf }: SealedColumn,
    rows: readonly SealedRow[],
    unreadable: string[],
  ): Promise<number> {
    const older = rows.filter((row) => !this.box.isCurrent(row.sealed));
    const anew = older.flatMap((row) => {
      const purpose = purposeOf(row.id);
      try {
        return [{ ...row, anew: this.box.seal(this.box.open(row.sealed, purpose), purpose) }];
      } catch (error) {
        if (!(error instanceof SealedTextError)) throw error;
        unreadable.push(error.message);
        return [];
      }
    });
    if (anew.length === 0) return 0;
    // Other writers, such as the expiry of notices, lock these rows in another order.
    const changed = await retryingDeadlocks(() =>
      this.database.query(
        sql`update ${table} t set ${sealed} = r.anew
            from json_to_recordset(${JSON.stringify(anew)}::json) as r (id text, sealed text, anew text)
            where t.${id}::text = r.id and t.${sealed} = r.sealed
            returning 1`,
      ),
    );
    return changed.length;
  }
}
