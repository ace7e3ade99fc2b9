import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Injectable } from '@nestjs/common';

import { DeliveryRunner } from './delivery-runner.js';
import { Dispatcher } from './dispatcher.js';
import { Relay } from './relay.js';

/** Delivers for as long as the application runs. */
@Injectable()
export class Deliveries implements OnApplicationBootstrap, OnModuleDestroy {
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly relay: Relay,
    private readonly runner: DeliveryRunner,
    private readonly dispatcher: Dispatcher,
  ) {}

  /**
   * `down` when no lane can be claimed: deliveries wait. `degraded` when Redis accepts no leases: each process makes
   * the deliveries of the lanes that it claims, and none of them waits for Redis.
   */
  get state(): 'up' | 'degraded' | 'down' {
    return this.relay.isClaiming ? this.dispatcher.state : 'down';
  }

  onApplicationBootstrap(): void {
    this.relay.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.stop(0);
  }

  /** Starts no more deliveries; those in progress have `graceMs` to end, and the next process finds the rest (P-8). */
  stop(graceMs: number): Promise<void> {
    this.stopping ??= this.end(graceMs);
    return this.stopping;
  }

  private async end(graceMs: number): Promise<void> {
    this.dispatcher.takeNoMore();
    await Promise.all([this.relay.stop(), this.runner.stop(graceMs)]);
    await Promise.all([this.dispatcher.close(), this.relay.letGo()]);
  }
}
