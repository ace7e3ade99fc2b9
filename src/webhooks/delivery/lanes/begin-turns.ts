import type { Pace } from './lane-pace.js';

/** Connections that are being made at a time to those who are not known to answer soon: each costs some milliseconds. */
const MOST_AT_A_TIME = 8;
/** Whoever has not got a connection by then is waited for no longer by the others. */
const PATIENCE_MS = 100;
/** For so many times as long as a connection took to be made, none is made after it: the rest is for who answers soon. */
const REST: Readonly<Record<Exclude<Pace, 'quick'>, number>> = { unknown: 1, slow: 3 };
/** What takes less was no connection to be made, but one that was there. */
const AT_ONCE_MS = 2;

type Waiting = (letGo: () => void) => void;

/**
 * Turns at beginning an exchange. Hundreds of subscribers that are told of one event at once would have the process make
 * connections and nothing else for a second: those not known to answer soon begin a few at a time, and those that are never
 * wait (W-9).
 */
export class BeginTurns {
  private taken = 0;
  private readonly waiting: Readonly<Record<Exclude<Pace, 'quick'>, Waiting[]>> = { unknown: [], slow: [] };

  /** Resolves when the exchange may begin, with what is to be called when its connection is there, or it has ended. */
  take(pace: Pace): Promise<() => void> {
    if (pace === 'quick') return Promise.resolve(() => undefined);
    return new Promise((begin) => {
      this.waiting[pace].push(begin);
      this.next();
    });
  }

  private next(): void {
    while (this.taken < MOST_AT_A_TIME) {
      const pace = this.waiting.unknown.length > 0 ? 'unknown' : 'slow';
      const begin = this.waiting[pace].shift();
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
