import { interruptibleSleep } from './interruptible-sleep.js';

interface Loop {
  /** From the end of one run to the beginning of the next. */
  readonly everyMs: number;
  /** Its `signal` aborts when it should end early. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** Called when `work` fails; it runs again nevertheless. */
  readonly onError: (error: unknown) => void;
}

/** Runs something repeatedly, one run at a time, until it is stopped. It keeps no process alive. */
export class Periodic {
  private readonly life = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly loop: Loop) {}

  /** Begins after `firstMs`, unless it has begun. */
  start(firstMs = 0): void {
    this.running ??= this.run(firstMs);
  }

  /** Resolves when nothing is running any more. */
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
