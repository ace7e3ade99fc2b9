import { Injectable } from '@nestjs/common';

import { ChangeFeed } from '../../database/connection/change-feed.js';
import { SessionLock } from '../../database/connection/session-lock.js';
import { DeliveryRunner } from './delivery-runner.js';
import { Dispatcher } from './dispatcher.js';
import { ClaimLoop } from './engine/claim-loop.js';
import { Lanes } from './lanes/lanes.js';

/** Few at a time, so that several processes share what becomes due together. */
const MOST_CLAIMS = 16;

/** Claims lanes on which something is due and passes them to the dispatcher. */
@Injectable()
export class Relay {
  private readonly loop: ClaimLoop;

  constructor(
    private readonly lanes: Lanes,
    private readonly runner: DeliveryRunner,
    private readonly dispatcher: Dispatcher,
    lock: SessionLock,
    feed: ChangeFeed,
  ) {
    const outbox = {
      what: 'deliveries',
      claim: () => this.claim(),
      free: (alone: boolean) => this.lanes.freeOfTheDead(alone),
    };
    this.loop = new ClaimLoop(outbox, lock);
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
    });
    runner.onLeftBehind(() => {
      this.loop.wake();
    });
  }

  /** Whether due deliveries are being claimed. */
  get isClaiming(): boolean {
    return this.loop.isClaiming;
  }

  start(): void {
    this.loop.start();
  }

  /** When this resolves, no lane is claimed any more. Leases are still held: see `letGo`. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** To be called when no delivery is in progress any more: others may have what is left. */
  letGo(): Promise<void> {
    return this.loop.letGo();
  }

  wake(): void {
    this.runner.wake();
    this.loop.wake();
  }

  private async claim(): Promise<boolean> {
    const slowest = this.runner.takes;
    if (slowest === undefined) return false;
    const claims = await this.lanes.claim(MOST_CLAIMS, slowest);
    await Promise.all(claims.map((claim) => this.dispatcher.dispatch(claim)));
    return claims.length === MOST_CLAIMS;
  }
}
