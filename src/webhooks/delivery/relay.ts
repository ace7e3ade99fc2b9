import { Injectable } from '@nestjs/common';

import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { SessionLock } from '../../platform/database/connection/session-lock.js';
import { ClaimLoop } from '../../platform/outbox/claim-loop.js';
import { DeliveryRunner } from './delivery-runner.js';
import { Dispatcher } from './dispatcher.js';
import { LaneClaims } from './lanes/lane-claims.js';
import { Lanes } from './lanes/lanes.js';

/** Claims lanes on which something is due and passes them to the dispatcher. */
@Injectable()
export class Relay {
  private readonly loop: ClaimLoop;
  private readonly claims: LaneClaims;

  constructor(
    private readonly lanes: Lanes,
    private readonly runner: DeliveryRunner,
    dispatcher: Dispatcher,
    lock: SessionLock,
    feed: ChangeFeed,
  ) {
    this.claims = new LaneClaims({
      slowest: () => this.runner.takes,
      claim: (most, slowest) => this.lanes.claim(most, slowest),
      dispatch: (claim) => dispatcher.dispatch(claim),
      wake: () => {
        this.loop.wake();
      },
    });
    const outbox = {
      what: 'deliveries',
      channel: 'delivery_due' as const,
      claim: () => this.claims.claim(),
      free: (alone: boolean) => this.lanes.freeOfTheDead(alone),
    };
    this.loop = new ClaimLoop(outbox, lock, feed);
    // Lanes at work look for it themselves.
    feed.on('delivery_due', () => {
      this.runner.wake();
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
  async stop(): Promise<void> {
    await this.loop.stop();
    await this.claims.opened();
  }

  /** To be called when no delivery is in progress any more: others may have what is left. */
  letGo(): Promise<void> {
    return this.loop.letGo();
  }

  private wake(): void {
    this.runner.wake();
    this.loop.wake();
  }
}
