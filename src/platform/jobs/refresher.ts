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
