import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from './periodic.js';

/** Repeats its work while the application runs. */
export abstract class Upkeep implements OnApplicationBootstrap, OnModuleDestroy {
  protected readonly log = new Logger(this.constructor.name);
  private readonly loop: Periodic;

  /** `failure`: the log message of a failed run; `firstMs`: from the start to the first run. */
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

  abstract run(signal?: AbortSignal): Promise<void>;

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
