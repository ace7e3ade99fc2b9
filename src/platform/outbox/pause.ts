/** A pause that can be ended early. */
export class Pause {
  private ended = false;
  private resume: () => void = () => undefined;

  /** Ends the current pause or, if there is none, the next one. */
  end(): void {
    this.ended = true;
    this.resume();
  }

  /** Pauses for `mostMs`, or until it is ended, but not for less than `leastMs`. */
  async begin(leastMs: number, mostMs: number): Promise<void> {
    await this.wait(leastMs);
    if (!this.ended) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, mostMs - leastMs);
        this.resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.ended = false;
    this.resume = () => undefined;
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(resolve, ms);
    });
  }
}
