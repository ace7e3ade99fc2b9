/**
 * How long a quick lane is kept after its latest delivery: the next one needs neither a claim nor a release. It may not
 * be long, since others that are to deliver cannot claim the lane meanwhile.
 */
const LINGER_MS = 1_000;

/** The moment for which a lane is kept on which nothing is due. */
export class Lingering {
  private deliveredMs = -Infinity;
  private onStir: () => void = () => undefined;

  /** A delivery begins. */
  delivered(): void {
    this.deliveredMs = performance.now();
  }

  /** How much of the moment is left; not above 0 when it is over. */
  get restMs(): number {
    return this.deliveredMs + LINGER_MS - performance.now();
  }

  /** Something may have changed. */
  stir(): void {
    this.onStir();
  }

  /** Resolves with the next `stir`, at the latest when the moment is over. */
  async untilStirred(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.restMs);
      this.onStir = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.onStir = () => undefined;
  }
}
