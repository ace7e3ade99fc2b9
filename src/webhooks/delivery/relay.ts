import { Injectable, Logger } from '@nestjs/common';

import { ChangeFeed } from '../../database/change-feed.js';
import { DeliveryRunner } from './delivery-runner.js';
import { Dispatcher } from './dispatcher.js';
import { Lanes } from './lanes.js';
import { Pause } from './pause.js';

/** What nobody announced is found within this time (W-8). */
const SWEEP_MS = 1_000;
/** Announcements that come closer together are taken for one. */
const LEAST_MS = 10;
/** Claims have not been made for so long when they are said to be impossible: one that failed may have had bad luck. */
const DOWN_MS = 10 * SWEEP_MS;
/** Few at a time, so that several processes share what comes at once. */
const MOST_CLAIMS = 16;

/** Claims lanes on which something is due and hands them to the dispatcher, woken by the database or by the clock. */
@Injectable()
export class Relay {
  private readonly log = new Logger(Relay.name);
  private readonly pause = new Pause();
  private working: Promise<void> | undefined;
  private stopped = false;
  /** `performance.now()` when lanes were last claimed, or there were none to claim. */
  private claimedMs = performance.now();

  constructor(
    private readonly lanes: Lanes,
    private readonly runner: DeliveryRunner,
    private readonly dispatcher: Dispatcher,
    feed: ChangeFeed,
  ) {
    // What waited for a client goes on as soon as it is active again (W-12).
    for (const channel of ['delivery_due', 'client_changed'] as const) {
      feed.on(channel, () => {
        this.wake();
        return Promise.resolve();
      });
    }
  }

  /** Whether what becomes due is claimed. */
  get isClaiming(): boolean {
    return performance.now() - this.claimedMs < DOWN_MS;
  }

  start(): void {
    this.working ??= this.work();
  }

  /** No claim is made any more when this resolves. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.pause.end();
    await this.working;
  }

  wake(): void {
    this.runner.wake();
    this.pause.end();
  }

  private async work(): Promise<void> {
    let failing = false;
    while (!this.stopped) {
      try {
        const claimed = await this.relay();
        failing = false;
        this.claimedMs = performance.now();
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
    const { lanes, failing } = this.runner.room;
    if (lanes === 0) return 0;
    const claims = await this.lanes.claim(Math.min(lanes, MOST_CLAIMS), failing);
    await Promise.all(claims.map((claim) => this.dispatcher.dispatch(claim)));
    return claims.length;
  }
}
