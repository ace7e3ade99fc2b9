import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';

import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { Primary } from '../../platform/database/connection/primary.js';
import { Followed } from '../../platform/database/connection/followed.js';
import type { Connections } from '../../platform/database/pools/connections.js';
import { ControlDatabase } from '../../platform/database/pools/control-database.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';

const SWEEP_MS = 60_000;
/** Access tokens that one subject may have revoked at a time, so that nobody fills the table, nor others' memory. */
const MOST_OF_ONE = 1_000;
/** When so many are known in all, subjects who had many revoked get no more, and others a few. */
const MANY = 100_000;
const FEW_OF_ONE = 10;

/** The claims by which an access token can be revoked: its own id, and its session's. */
interface RevocableClaims {
  readonly tokenId?: Uuid | undefined;
  readonly sid?: Uuid | undefined;
}

interface Row {
  /** This and `now` are of the reading, in each row; the rest is null in the only row where nothing is new. */
  readonly snapshot: string;
  /** The time by the database's clock. */
  readonly now: Date;
  readonly id: string | null;
  readonly expiresAt: Date | null;
}

/**
 * The access tokens that ended before their time, by `jti`, and the sessions that they belonged to, by `sid`: in
 * memory, in every process within two seconds (G-3), until the tokens have expired. Some 150 bytes each. Sessions are
 * bounded by the logins that began them, tokens by `mostOfOne`.
 */
@Injectable()
export class RevokedTokens implements OnModuleInit {
  /** When each may be forgotten. */
  private readonly until = new Map<string, number>();
  private readonly changes: Followed;
  /** What the last reading has seen; undefined: everything is to be read. */
  private seen: string | undefined;
  private serversMet = 0;
  private sweptAtMs = 0;

  constructor(
    @Inject(ControlDatabase) private readonly database: Connections,
    feed: ChangeFeed,
    primary: Primary,
  ) {
    // A server that took over may have other transactions under the same numbers.
    primary.onNewServer(() => {
      this.seen = undefined;
      this.serversMet += 1;
    });
    this.changes = new Followed(feed, 'token_revoked', () => this.load());
  }

  onModuleInit(): Promise<void> {
    return this.changes.refresh();
  }

  /** Resolves when what is known is up to date: at once, or after asking the database while changes are not heard. */
  current(): Promise<void> {
    return this.changes.current();
  }

  /** Whether the token with these claims was revoked, or its session has ended. Await `current()` before. */
  isRevoked({ tokenId, sid }: RevocableClaims): boolean {
    return this.until.size > 0 && (this.has(tokenId) || this.has(sid));
  }

  /** How many are known. */
  get size(): number {
    return this.until.size;
  }

  /** How many tokens a subject may have revoked by themselves at a time: fewer once there are many of all together. */
  get mostOfOne(): number {
    return this.until.size < MANY ? MOST_OF_ONE : FEW_OF_ONE;
  }

  private has(id: Uuid | undefined): boolean {
    return id !== undefined && this.until.has(id);
  }

  /**
   * Reads what was committed since the last reading, exactly: what its snapshot did not show. Transactions that have
   * been open for long make this look at more rows, and read none twice.
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
    // Nothing is read twice: a clock that is ahead for a while must not have it forgotten before its time.
    this.sweep(Math.min(Date.now(), rows[0]?.now.getTime() ?? 0));
  }

  private sweep(nowMs: number): void {
    if (nowMs - this.sweptAtMs < SWEEP_MS) return;
    this.sweptAtMs = nowMs;
    for (const [id, untilMs] of this.until) if (untilMs <= nowMs) this.until.delete(id);
  }
}
