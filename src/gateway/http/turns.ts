/** How much of it is done before the event loop gets to see what else has come. */
const AT_ONCE = 16;

/**
 * Work that waits for its turn: first come, first served, with everything else that the process has to do in between.
 */
export class Turns {
  private readonly waiting: (() => void)[] = [];

  take(work: () => void): void {
    if (this.waiting.push(work) === 1) this.schedule();
  }

  private schedule(): void {
    setImmediate(() => {
      // What fails is the process's end, as it is anywhere else; until then the others have their turns.
      if (this.waiting.length > AT_ONCE) this.schedule();
      const due = this.waiting.splice(0, AT_ONCE);
      for (const work of due) work();
    });
  }
}
