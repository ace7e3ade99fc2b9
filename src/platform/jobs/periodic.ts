import { setTimeout as sleep } from 'node:timers/promises';

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
