import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';

import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { Primary } from '../../platform/database/connection/primary.js';
import { Followed } from '../../platform/database/connection/followed.js';
import type { Connections } from '../../platform/database/pools/connections.js';
import { ControlDatabase } from '../../platform/database/pools/pools.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';

const SWEEP_MS = 60_000;
/** Per subject, to bound table and memory. */
const MOST_OF_ONE = 1_000;
/** Total beyond which the limit per subject shrinks. */
const MANY = 100_000;
const FEW_OF_ONE = 10;

interface RevocableClaims {
  readonly tokenId?: Uuid | undefined;
  readonly sid?: Uuid | undefined;
}

interface Row {
  /** Repeated in each row with `now`; if nothing is new, the other columns are null. */
  readonly snapshot: string;
  /** By the database's clock. */
  readonly now: Date;
  readonly id: string | null;
  readonly expiresAt: Date | null;
}

/**
 * Caches revoked access tokens by `jti` and ended sessions by `sid` until expiry, about 150 bytes each; propagated
 * within two seconds (G-3). Logins bound the sessions, `mostOfOne` the tokens.
 */
@Injectable()
export class RevokedTokens implements OnModuleInit {
  private readonly until = new Map<string, number>();
  private readonly changes: Followed;
  /** Snapshot of the last reading; undefined: read everything. */
  private seen: string | undefined;
  private serversMet = 0;
  private sweptAtMs = 0;

  constructor(
    @Inject(ControlDatabase) private readonly database: Connections,
    feed: ChangeFeed,
    primary: Primary,
  ) {
    // After a failover, transaction numbers may repeat.
    primary.onNewServer(() => {
      this.seen = undefined;
      this.serversMet += 1;
    });
    this.changes = new Followed(feed, 'token_revoked', () => this.load());
  }

  onModuleInit(): Promise<void> {
    return this.changes.refresh();
  }

  /** Resolves when up to date: at once, or after a read while the change feed is down. */
  current(): Promise<void> {
    return this.changes.current();
  }

  /** Await `current()` before. */
  isRevoked({ tokenId, sid }: RevocableClaims): boolean {
    return this.until.size > 0 && (this.has(tokenId) || this.has(sid));
  }

  get size(): number {
    return this.until.size;
  }

  /** Lower when many are known. */
  get mostOfOne(): number {
    return this.until.size < MANY ? MOST_OF_ONE : FEW_OF_ONE;
  }

  private has(id: Uuid | undefined): boolean {
    return id !== undefined && this.until.has(id);
  }

  /**
   * Reads the rows that the last snapshot did not show. Long transactions cause more to be examined, none to be read
   * twice.
   */
  private async load(): Promise<void> {
    const { seen, serversMet } = this;
    const isNew =
      seen === undefined
        ? sql`true`
        : sql`r.txid >= pg_snapshot_xmin(${seen}::pg_snapshot) and not pg_visible_in_snapshot(r.txid, ${seen}::pg_snapshot)`;
    const rows = await this.database.query<Row>(
      sql`select s.snapshot, s.now, r.id, r.expires_at as "expiresAt"
          from (select pg_current_snapshot()::text as snapshot, now()) s
          left join revoked_token r on r.expires_at > now() and ${isNew}`,
    );
    for (const { id, expiresAt } of rows) {
      if (id !== null && expiresAt !== null) this.until.set(id, expiresAt.getTime());
    }
    if (this.serversMet === serversMet) this.seen = rows[0]?.snapshot;
    // A clock that is temporarily ahead must not drop entries early, since none is read twice.
    this.sweep(Math.min(Date.now(), rows[0]?.now.getTime() ?? 0));
  }

  private sweep(nowMs: number): void {
    if (nowMs - this.sweptAtMs < SWEEP_MS) return;
    this.sweptAtMs = nowMs;
    for (const [id, untilMs] of this.until) if (untilMs <= nowMs) this.until.delete(id);
  }
}
