import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from './periodic.js';

/** Maintenance that is done again and again. Work that one process at a time may do takes its lock itself. */
export interface Job {
  /** The context of its lines in the log. */
  readonly name: string;
  /** From the end of one run to the beginning of the next. */
  readonly everyMs: number;
  /** From the start to the first run; 0 by default. */
  readonly firstMs?: number;
  /** The line of a run that failed. */
  readonly failure: string;
  /** Failures that are not logged. */
  readonly isExpected?: (error: unknown) => boolean;
  readonly work: (signal: AbortSignal) => Promise<unknown>;
}

/** The table of maintenance jobs: each part adds its own, beside its SQL. They run in a service, not in a command. */
@Injectable()
export class Jobs implements OnModuleDestroy {
  private readonly loops: { readonly loop: Periodic; readonly firstMs: number }[] = [];

  add({ name, everyMs, firstMs = 0, failure, isExpected = () => false, work }: Job): void {
    const log = new Logger(name);
    const onError = (error: unknown): void => {
      if (!isExpected(error)) log.warn(failure, error);
    };
    const run = async (signal: AbortSignal): Promise<void> => {
      await work(signal);
    };
    const loop = new Periodic({ everyMs, work: run, onError });
    this.loops.push({ loop, firstMs });
  }

  start(): void {
    for (const { loop, firstMs } of this.loops) loop.start(firstMs);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.loops.map(({ loop }) => loop.stop()));
  }
}
