import { Inject, Injectable, Logger } from '@nestjs/common';

import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.js';
import { SubscriberClient } from '../subscriber-http/subscriber-client.js';
import { userAgent } from '../user-agent.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { LaneSession } from './lane-session.js';
import type { Claim } from './lanes.js';
import { Lanes } from './lanes.js';
import { Settlements } from './settlements.js';

/** Lanes that one process delivers on at a time; failing ones get at most half of them, so that others never wait. */
export const MOST_LANES = 200;
const MOST_FAILING_LANES = MOST_LANES / 2;

/** Delivers on claimed lanes: the one runner of every way of dispatching (W-8). */
@Injectable()
export class DeliveryRunner {
  private readonly log = new Logger(DeliveryRunner.name);
  private readonly sessions = new Map<LaneSession, Promise<void>>();
  private readonly userAgent = userAgent();
  private stopped = false;

  constructor(
    private readonly lanes: Lanes,
    private readonly settlements: Settlements,
    private readonly client: SubscriberClient,
    private readonly metrics: DeliveryMetrics,
    @Inject(CONFIG)
    private readonly config: Pick<
      Config,
      | 'webhookLeaseSeconds'
      | 'WEBHOOK_TIMEOUT_SECONDS'
      | 'WEBHOOK_RETRY_SECONDS'
      | 'WEBHOOK_MAX_IN_FLIGHT_PER_SUBSCRIPTION'
    >,
  ) {}

  /** How many more lanes it takes, and whether failing ones may be among them. */
  get room(): { readonly lanes: number; readonly failing: boolean } {
    const failing = [...this.sessions.keys()].filter((session) => session.failing).length;
    return {
      lanes: this.stopped ? 0 : Math.max(0, MOST_LANES - this.sessions.size),
      failing: failing < MOST_FAILING_LANES,
    };
  }

  /** Delivers on the lane until nothing is due. Never throws: what failed is found again. */
  async run(claim: Claim): Promise<void> {
    if (this.stopped) return;
    const session = new LaneSession(claim, {
      lanes: this.lanes,
      settlements: this.settlements,
      client: this.client,
      metrics: this.metrics,
      userAgent: this.userAgent,
      most: this.config.WEBHOOK_MAX_IN_FLIGHT_PER_SUBSCRIPTION,
      scheduleSeconds: this.config.WEBHOOK_RETRY_SECONDS,
      leaseMs: this.config.webhookLeaseSeconds * 1_000,
      timeoutMs: this.config.WEBHOOK_TIMEOUT_SECONDS * 1_000,
      random: Math.random,
    });
    const running = session
      .run()
      .catch((error: unknown) => {
        this.log.warn('a lane was left before its end; it is found again', error);
      })
      .finally(() => {
        this.sessions.delete(session);
      });
    this.sessions.set(session, running);
    await running;
  }

  /** Something may have become due. */
  wake(): void {
    for (const session of this.sessions.keys()) session.wake();
  }

  /** Begins nothing more, and waits up to `graceMs` for what is under way; then cuts it off (P-8). */
  async stop(graceMs: number): Promise<void> {
    this.stopped = true;
    for (const session of this.sessions.keys()) session.stop();
    const timer = setTimeout(() => {
      this.settlements.giveUp();
      void this.client.close();
    }, graceMs);
    await Promise.all(this.sessions.values());
    clearTimeout(timer);
    await this.client.close();
  }
}
