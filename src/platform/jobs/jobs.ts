import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';

/** Resolves after `ms` milliseconds or on abort. Keeps no process alive. */
export const interruptibleSleep = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { ref: false, signal }).catch(() => undefined);

interface Loop {
  /** From the end of one run to the beginning of the next. */
  readonly everyMs: number;
  readonly work: (signal: AbortSignal) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Repeats one run at a time until stopped. Keeps no process alive. */
export class Periodic {
  private readonly life = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly loop: Loop) {}

  start(firstMs = 0): void {
    this.running ??= this.run(firstMs);
  }

  async stop(): Promise<void> {
    this.life.abort();
    await this.running;
  }

  private async run(firstMs: number): Promise<void> {
    const { signal } = this.life;
    const { everyMs, work, onError } = this.loop;
    if (firstMs > 0) await interruptibleSleep(firstMs, signal);
    while (!signal.aborted) {
      await work(signal).catch(onError);
      await interruptibleSleep(everyMs, signal);
    }
  }
}

/** One load at a time. A call during a load gets a later one, which includes everything committed before the call. */
export class Refresher {
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;

  constructor(private readonly load: () => Promise<void>) {}

  refresh(): Promise<void> {
    if (this.next !== undefined) return this.next;
    if (this.running === undefined) return this.run();
    this.next = this.running
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        return this.run();
      });
    return this.next;
  }

  /** Resolves at the end of the current load, also of a failed one. */
  async settled(): Promise<void> {
    await this.running?.catch(() => undefined);
  }

  private run(): Promise<void> {
    const loading = this.load().finally(() => {
      if (this.running === loading) this.running = undefined;
    });
    this.running = loading;
    return loading;
  }
}

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
