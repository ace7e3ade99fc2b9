import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Logger } from '@nestjs/common';

import { Periodic } from './periodic.js';

/** A provider that does its work again and again for as long as the application runs. */
export abstract class Upkeep implements OnApplicationBootstrap, OnModuleDestroy {
  protected readonly log = new Logger(this.constructor.name);
  private readonly loop: Periodic;

  /** `failure` is what the log says when the work fails; it is done again nevertheless. */
  constructor(everyMs: number, failure: string) {
    this.loop = new Periodic({
      everyMs,
      work: (signal) => this.run(signal),
      onError: (error) => {
        this.log.warn(failure, error);
      },
    });
  }

  /** Does the work once; `signal` aborts when it should end early. */
  abstract run(signal?: AbortSignal): Promise<void>;

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }
}
