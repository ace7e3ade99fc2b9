import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Injectable } from '@nestjs/common';

import { DeliveryRunner } from './delivery-runner.js';
import { Dispatcher } from './dispatcher.js';
import { Housekeeping } from './housekeeping.js';
import { Relay } from './relay.js';

/** Delivers for as long as the application runs. */
@Injectable()
export class Deliveries implements OnApplicationBootstrap, OnModuleDestroy {
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly relay: Relay,
    private readonly runner: DeliveryRunner,
    private readonly housekeeping: Housekeeping,
    private readonly dispatcher: Dispatcher,
  ) {}

  /**
   * `down` when no claim can be made: deliveries wait. `degraded` when Redis takes none: each process makes the deliveries
   * that it claims, and none of them waits for it.
   */
  get state(): 'up' | 'degraded' | 'down' {
    return this.relay.isClaiming ? this.dispatcher.state : 'down';
  }

  onApplicationBootstrap(): void {
    this.relay.start();
    this.housekeeping.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.stop(0);
  }

  /** Begins no delivery any more; those under way have `graceMs` to end, and the next process finds the rest (P-8). */
  stop(graceMs: number): Promise<void> {
    this.stopping ??= this.end(graceMs);
    return this.stopping;
  }

  private async end(graceMs: number): Promise<void> {
    await Promise.all([this.relay.stop(), this.housekeeping.stop(), this.runner.stop(graceMs)]);
    await Promise.all([this.dispatcher.close(), this.relay.letGo()]);
  }
}
