/** After so long in one round of the event loop, it sees what else has arrived. */
const MOST_MS = 5;

/** Work that waits for its turn: first come, first served, with all other work of the process in between. */
export class Turns {
  private readonly waiting: (() => void)[] = [];
  private isScheduled = false;

  constructor(private readonly mostMs = MOST_MS) {}

  take(work: () => void): void {
    this.waiting.push(work);
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.length === 0) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      try {
        this.round();
      } finally {
        // A failure ends the process, as anywhere else; until then the others have their turns.
        this.schedule();
      }
    });
  }

  /** One piece of work at least. What takes another turn meanwhile has it in a later round. */
  private round(): void {
    const untilMs = performance.now() + this.mostMs;
    for (let due = this.waiting.length; due > 0; due -= 1) {
      this.waiting.shift()?.();
      if (performance.now() >= untilMs) return;
    }
  }
}
