import { LRUCache } from 'lru-cache';

const REMEMBERED = 1_000;
const SHOWN_CHARACTERS = 200;

/** Logs each scope that grants nothing once; remembers the latest thousand. */
export class UndecodableScopes {
  private readonly known = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(private readonly log: (line: string) => void) {}

  readonly note = (scope: string): void => {
    const shown = JSON.stringify(scope.slice(0, SHOWN_CHARACTERS));
    if (this.known.has(shown)) return;
    this.known.set(shown, true);
    this.log(`a scope that is not understood grants nothing: ${shown}`);
  };
}
