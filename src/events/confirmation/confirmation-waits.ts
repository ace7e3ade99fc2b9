import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { Database } from '../../platform/database/pools/database.js';
import { Refresher } from '../../platform/jobs/periodic.js';
import { LIFE_CYCLE } from '../../kernel/domain/life-cycle/life-cycle.js';
import type { ActionType } from '../../kernel/domain/event-action.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';
import { AwaitedConfirmation } from '../operations/operation-key.js';

/** Finds answers that were not announced. */
const SWEEP_MS = 1_000;

interface Wait {
  readonly actionId: Uuid;
  readonly untilMs: number;
  readonly end: () => void;
}

interface StandingRow {
  readonly id: Uuid;
  /** Milliseconds until it is posted next; null if it is not pending. */
  readonly nextMs: number | null;
}

/**
 * Lets whoever has requested an action wait for what becomes of it (E-7), also when another process obtains it. A wait
 * holds no connection and no place in the queue of writers: all waits of a process share one look at the database.
 */
@Injectable()
export class ConfirmationWaits extends AwaitedConfirmation {
  private readonly waits = new Set<Wait>();
  private readonly looks = new Refresher(() => this.look());
  private sweeping: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'COUNTRY_CONFIG_URL' | 'CONFIRMATION_WAIT_SECONDS'>,
    feed: ChangeFeed,
  ) {
    super();
    feed.on('confirmation_settled', async () => {
      await this.lookIfWanted();
    });
  }

  /** Whether a request of this type is stored Requested and posted (E-15); without a country configuration, none is. */
  isAwaited(type: ActionType): boolean {
    return this.config.COUNTRY_CONFIG_URL !== undefined && LIFE_CYCLE[type].isConfirmed;
  }

  /**
   * Resolves when the action is accepted, rejected or left to wait, when it will not be posted again in time, after
   * `CONFIRMATION_WAIT_SECONDS`, or when the caller hangs up. To be called after the commit; never throws.
   */
  async outcomeOf(actionId: Uuid, hungUp?: AbortSignal): Promise<void> {
    const mostMs = this.config.CONFIRMATION_WAIT_SECONDS * 1_000;
    if (mostMs === 0 || hungUp?.aborted === true) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        hungUp?.removeEventListener('abort', end);
        this.waits.delete(wait);
        if (this.waits.size === 0) clearInterval(this.sweeping);
        resolve();
      };
      const timer = setTimeout(end, mostMs);
      const wait: Wait = { actionId, untilMs: performance.now() + mostMs, end };
      hungUp?.addEventListener('abort', end, { once: true });
      if (this.waits.size === 0) this.sweeping = setInterval(() => void this.lookIfWanted(), SWEEP_MS);
      this.waits.add(wait);
      // It may be settled already.
      void this.lookIfWanted();
    });
  }

  /** This process has just settled it. */
  tell(actionId: Uuid): void {
    for (const wait of [...this.waits]) if (wait.actionId === actionId) wait.end();
  }

  private async lookIfWanted(): Promise<void> {
    // If the database is away, the waits end by themselves.
    if (this.waits.size > 0) await this.looks.refresh().catch(() => undefined);
  }

  private async look(): Promise<void> {
    const waits = [...this.waits];
    const rows = await this.database.query<StandingRow>(sql`
      select action_id as id, extract(epoch from next_attempt_at - now())::float8 * 1000 as "nextMs"
        from confirmation where action_id = any (${waits.map(({ actionId }) => actionId)}::uuid[])`);
    const nextMs = new Map(rows.map((row) => [row.id, row.nextMs]));
    const nowMs = performance.now();
    for (const wait of waits) {
      const next = nextMs.get(wait.actionId) ?? Infinity;
      if (nowMs + next >= wait.untilMs) wait.end();
    }
  }
}
