import type { Pace } from '../../../platform/outbox/pace.js';

/** How many connections are opened at a time to subscribers not known to be quick: each costs some milliseconds. */
const MOST_AT_A_TIME = 8;
/** After this the others no longer wait for an exchange without a connection. */
const PATIENCE_MS = 100;
/**
 * After opening a connection, none is opened for this many times as long as it took: the rest is for quick subscribers.
 */
const REST: Readonly<Record<Exclude<Pace, 'quick'>, number>> = { unknown: 1, slow: 3 };
/** Anything faster did not open a connection, but used an existing one. */
const AT_ONCE_MS = 2;

type Waiting = (letGo: () => void) => void;

/** Those who wait, by client: the first client has the next turn, and then comes after the others. No line is empty. */
type Lines = Map<string, Waiting[]>;

/**
 * Turns for beginning an exchange. If hundreds of subscribers were notified of one event at once, the process would
 * only open connections for a second: those not known to be quick begin a few at a time, and quick ones never wait
 * (W-9). Among equally slow ones clients take turns: however many lanes one has, those of another do not wait for all of
 * them.
 */
export class BeginTurns {
  private taken = 0;
  private readonly waiting: Readonly<Record<Exclude<Pace, 'quick'>, Lines>> = { unknown: new Map(), slow: new Map() };

  /** Resolves when the exchange may begin, with a function to call when its connection is there or it has ended. */
  take(pace: Pace, client: string): Promise<() => void> {
    if (pace === 'quick') return Promise.resolve(() => undefined);
    return new Promise((begin) => {
      const lines = this.waiting[pace];
      const line = lines.get(client);
      if (line === undefined) lines.set(client, [begin]);
      else line.push(begin);
      this.next();
    });
  }

  private next(): void {
    while (this.taken < MOST_AT_A_TIME) {
      const pace = this.waiting.unknown.size > 0 ? 'unknown' : 'slow';
      const begin = firstOf(this.waiting[pace]);
      if (begin === undefined) return;
      this.taken += 1;
      begin(this.letGoOnce(pace));
    }
  }

  private letGoOnce(pace: Exclude<Pace, 'quick'>): () => void {
    const beganMs = performance.now();
    let isHeld = true;
    const letGo = (): void => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      const tookMs = performance.now() - beganMs;
      if (tookMs < AT_ONCE_MS) this.passOn();
      else setTimeout(this.passOn.bind(this), Math.min(PATIENCE_MS, REST[pace] * tookMs));
    };
    const timer = setTimeout(letGo, PATIENCE_MS);
    return letGo;
  }

  private passOn(): void {
    this.taken -= 1;
    this.next();
  }
}

function firstOf(lines: Lines): Waiting | undefined {
  const [next] = lines;
  if (next === undefined) return undefined;
  const [client, line] = next;
  const begin = line.shift();
  lines.delete(client);
  if (line.length > 0) lines.set(client, line);
  return begin;
}
