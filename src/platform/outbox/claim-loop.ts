import { Logger } from '@nestjs/common';

import type { ChangeFeed, Channel } from '../database/connection/change-feed.js';
import type { SessionLock } from '../database/connection/session-lock.js';
import { Pause } from './pause.js';

/** What nobody announced is found within this time (W-8). */
const SWEEP_MS = 1_000;
/** Announcements closer together count as one. */
const LEAST_MS = 10;
/** How long claiming must fail until it counts as impossible: a single failure may be an accident. */
const DOWN_MS = 10 * SWEEP_MS;

/** How one outbox is claimed from. */
export interface ClaimedOutbox {
  /** For the log: `deliveries`. */
  readonly what: string;
  /** Where it is announced that something is due. */
  readonly channel: Channel;
  /** Claims what is due and passes it on; resolves with whether more may be due now. */
  readonly claim: () => Promise<boolean>;
  /** Frees what dead processes have claimed; `alone` says that this has not been done since the start. */
  readonly free: (alone: boolean) => Promise<void>;
}

/** Claims from an outbox for as long as the process lives, woken by the database or by the clock (W-8, W-16). */
export class ClaimLoop {
  private readonly log = new Logger(ClaimLoop.name);
  private readonly pause = new Pause();
  private working: Promise<void> | undefined;
  private stopped = false;
  /** `performance.now()` when something was last claimed, or there was nothing to claim. */
  private claimedMs = performance.now();
  /** The same for freeing the leases of dead processes; undefined until then. */
  private freedMs: number | undefined;

  constructor(
    private readonly outbox: ClaimedOutbox,
    private readonly lock: SessionLock,
    feed: ChangeFeed,
  ) {
    lock.onHeld(() => {
      this.wake();
    });
    feed.on(outbox.channel, () => {
      this.wake();
    });
  }

  /** Whether what is due is being claimed. */
  get isClaiming(): boolean {
    return performance.now() - this.claimedMs < DOWN_MS;
  }

  start(): void {
    this.lock.start();
    this.working ??= this.work();
  }

  /** When this resolves, nothing is claimed any more. Leases are still held: see `letGo`. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.pause.end();
    await this.working;
  }

  /** To be called when nothing is in progress any more: others may have what is left. */
  async letGo(): Promise<void> {
    await this.lock.stop();
  }

  /** Something may be due. */
  wake(): void {
    this.pause.end();
  }

  private async work(): Promise<void> {
    let failing = false;
    while (!this.stopped) {
      try {
        const isMore = this.lock.isHeld && (await this.claim());
        failing = false;
        if (this.lock.isHeld) this.claimedMs = performance.now();
        if (!isMore) await this.pause.begin(LEAST_MS, SWEEP_MS);
      } catch (error) {
        if (!failing) this.log.warn(`${this.outbox.what} cannot be claimed; trying again`, error);
        failing = true;
        await this.pause.begin(SWEEP_MS, SWEEP_MS);
      }
    }
  }

  private async claim(): Promise<boolean> {
    if (this.freedMs === undefined || performance.now() - this.freedMs >= SWEEP_MS) {
      await this.outbox.free(this.freedMs === undefined);
      this.freedMs = performance.now();
    }
    return this.outbox.claim();
  }
}
