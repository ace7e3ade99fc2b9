/** How much is done before the event loop sees what else has arrived. */
const AT_ONCE = 16;

/** Work that waits for its turn: first come, first served, with all other work of the process in between. */
export class Turns {
  private readonly waiting: (() => void)[] = [];

  take(work: () => void): void {
    if (this.waiting.push(work) === 1) this.schedule();
  }

  private schedule(): void {
    setImmediate(() => {
      // A failure ends the process, as anywhere else; until then the others have their turns.
      if (this.waiting.length > AT_ONCE) this.schedule();
      const due = this.waiting.splice(0, AT_ONCE);
      for (const work of due) work();
    });
  }
}
