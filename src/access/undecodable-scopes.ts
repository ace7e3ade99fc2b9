const REMEMBERED = 1_000;
const SHOWN_CHARACTERS = 200;

/** Logs each scope that grants nothing once, as A-10 requires, remembering the latest thousand. */
export class UndecodableScopes {
  private readonly known = new Set<string>();

  constructor(private readonly log: (line: string) => void) {}

  readonly note = (scope: string): void => {
    const shown = JSON.stringify(scope.slice(0, SHOWN_CHARACTERS));
    if (this.known.has(shown)) return;
    if (this.known.size >= REMEMBERED) this.forgetOldest();
    this.known.add(shown);
    this.log(`a scope that is not understood grants nothing: ${shown}`);
  };

  private forgetOldest(): void {
    for (const oldest of this.known) {
      this.known.delete(oldest);
      return;
    }
  }
}
