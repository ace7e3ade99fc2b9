import { interruptibleSleep } from './interruptible-sleep.js';

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
