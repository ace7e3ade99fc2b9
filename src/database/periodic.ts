import { setTimeout as sleep } from 'node:timers/promises';

interface Loop {
  /** From the end of one time to the beginning of the next. */
  readonly everyMs: number;
  /** Aborts `signal` when it shall end early. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** Told why `work` failed; it is done again all the same. */
  readonly onError: (error: unknown) => void;
}

/** Does something again and again, one time after the other, until it is stopped. It keeps no process alive. */
export class Periodic {
  private readonly life = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly loop: Loop) {}

  /** Begins after `firstMs`, unless it has begun. */
  start(firstMs = 0): void {
    this.running ??= this.run(firstMs);
  }

  /** Done when nothing runs any more. */
  async stop(): Promise<void> {
    this.life.abort();
    await this.running;
  }

  private async run(firstMs: number): Promise<void> {
    const { signal } = this.life;
    const { everyMs, work, onError } = this.loop;
    if (firstMs > 0) await pause(firstMs, signal);
    while (!signal.aborted) {
      await work(signal).catch(onError);
      await pause(everyMs, signal);
    }
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { ref: false, signal }).catch(() => undefined);
