/**
 * Loads something again, one load at a time: a call during a load gets one that starts after it, so what is loaded
 * last was also read last, and contains whatever was committed before the call.
 */
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

  private run(): Promise<void> {
    this.running = this.load().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }
}
