import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Logger } from '@nestjs/common';

import { Periodic } from './periodic.js';

/** A provider that does its work again and again for as long as the application runs. */
export abstract class Upkeep implements OnApplicationBootstrap, OnModuleDestroy {
  protected readonly log = new Logger(this.constructor.name);
  private readonly loop: Periodic;

  /**
   * `failure` is what the log says when the work fails; it is done again nevertheless. `firstMs`: how long after the
   * start it is done for the first time.
   */
  constructor(
    everyMs: number,
    private readonly failure: string,
    private readonly firstMs = 0,
  ) {
    this.loop = new Periodic({
      everyMs,
      work: (signal) => this.run(signal),
      onError: (error) => {
        this.tell(error);
      },
    });
  }

  /** Does the work once; `signal` aborts when it should end early. */
  abstract run(signal?: AbortSignal): Promise<void>;

  /** Says that the work has failed. */
  protected tell(error: unknown): void {
    this.log.warn(this.failure, error);
  }

  onApplicationBootstrap(): void {
    this.loop.start(this.firstMs);
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }
}
