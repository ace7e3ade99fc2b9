import { Injectable, Logger } from '@nestjs/common';

import { ChangeFeed } from '../../database/connection/change-feed.js';
import { SessionLock } from '../../database/connection/session-lock.js';
import { DeliveryRunner } from './delivery-runner.js';
import { Dispatcher } from './dispatcher.js';
import { Lanes } from './lanes/lanes.js';
import { Pause } from './pause.js';

/** Deliveries that nobody announced are found within this time (W-8). */
const SWEEP_MS = 1_000;
/** Announcements closer together count as one. */
const LEAST_MS = 10;
/** How long claiming must fail until it counts as impossible: a single failure may be an accident. */
const DOWN_MS = 10 * SWEEP_MS;
/** Few at a time, so that several processes share what becomes due together. */
const MOST_CLAIMS = 16;

/** Claims lanes on which something is due and passes them to the dispatcher, woken by the database or by the clock. */
@Injectable()
export class Relay {
  private readonly log = new Logger(Relay.name);
  private readonly pause = new Pause();
  private working: Promise<void> | undefined;
  private stopped = false;
  /** `performance.now()` when lanes were last claimed, or there were none to claim. */
  private claimedMs = performance.now();
  /** The same for freeing the leases of dead processes; undefined until then. */
  private freedMs: number | undefined;

  constructor(
    private readonly lanes: Lanes,
    private readonly runner: DeliveryRunner,
    private readonly dispatcher: Dispatcher,
    private readonly lock: SessionLock,
    feed: ChangeFeed,
  ) {
    feed.on('delivery_due', () => {
      this.wake();
      return Promise.resolve();
    });
    // Nothing more is begun for a deactivated client or an ended subscription (W-3, W-12); what waited for a client
    // continues as soon as it is active again.
    for (const channel of ['client_changed', 'subscription_ended'] as const) {
      feed.on(channel, async () => {
        await this.runner.look();
        this.wake();
      });
    }
    lock.onHeld(() => {
      void this.runner.look();
      this.pause.end();
    });
    runner.onLeftBehind(() => {
      this.pause.end();
    });
  }

  /** Whether due deliveries are being claimed. */
  get isClaiming(): boolean {
    return performance.now() - this.claimedMs < DOWN_MS;
  }

  start(): void {
    this.lock.start();
    this.working ??= this.work();
  }

  /** When this resolves, no lane is claimed any more. Leases are still held: see `letGo`. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.pause.end();
    await this.working;
  }

  /** To be called when no delivery is in progress any more: others may have what is left. */
  async letGo(): Promise<void> {
    await this.lock.stop();
  }

  wake(): void {
    this.runner.wake();
    this.pause.end();
  }

  private async work(): Promise<void> {
    let failing = false;
    while (!this.stopped) {
      try {
        const claimed = this.lock.isHeld ? await this.relay() : 0;
        failing = false;
        if (this.lock.isHeld) this.claimedMs = performance.now();
        if (claimed < MOST_CLAIMS) await this.pause.begin(LEAST_MS, SWEEP_MS);
      } catch (error) {
        if (!failing) this.log.warn('deliveries cannot be claimed; trying again', error);
        failing = true;
        await this.pause.begin(SWEEP_MS, SWEEP_MS);
      }
    }
  }

  /** How many lanes were claimed. */
  private async relay(): Promise<number> {
    if (this.freedMs === undefined || performance.now() - this.freedMs >= SWEEP_MS) {
      await this.lanes.freeOfTheDead(this.freedMs === undefined);
      this.freedMs = performance.now();
    }
    const slowest = this.runner.takes;
    if (slowest === undefined) return 0;
    const claims = await this.lanes.claim(MOST_CLAIMS, slowest);
    await Promise.all(claims.map((claim) => this.dispatcher.dispatch(claim)));
    return claims.length;
  }
}
