/**
 * Reads what is new, one reading at a time. A reading that has begun may have missed what a caller must see: those who
 * come meanwhile share the next one.
 */
export class CatchingUp {
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;

  constructor(private readonly read: () => Promise<void>) {}

  /** Everything that was there before the call is read. Throws when it cannot be; the next call tries again. */
  catchUp(): Promise<void> {
    if (this.running === undefined) return this.start();
    this.next ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        return this.start();
      });
    return this.next;
  }

  /** The end of the reading that is under way, well or badly. */
  async settled(): Promise<void> {
    await this.running?.catch(() => undefined);
  }

  private start(): Promise<void> {
    const reading = this.read().finally(() => {
      if (this.running === reading) this.running = undefined;
    });
    this.running = reading;
    return reading;
  }
}
