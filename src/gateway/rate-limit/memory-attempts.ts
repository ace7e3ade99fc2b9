import type { AttemptAnswer, Attempts } from './attempts.js';
import { FAILURES_PER_MINUTE, WINDOW_MS } from './attempts.js';

/**
 * Some tens of megabytes; beyond that the pairs that failed first are forgotten, which gives each ten more attempts.
 */
const MOST_PAIRS = 100_000;

interface Pair {
  failures: number;
  /** Failures are forgotten a minute after the first. */
  endsMs: number;
  checking: number;
}

/** The attempts of this process. */
export class MemoryAttempts implements Attempts {
  /** In order of their first failure. */
  private readonly pairs = new Map<string, Pair>();

  begin(key: string): Promise<AttemptAnswer> {
    return Promise.resolve(this.answer(key, performance.now()));
  }

  private answer(key: string, nowMs: number): AttemptAnswer {
    const pair = this.current(key, nowMs);
    if (pair.failures >= FAILURES_PER_MINUTE) return { kind: 'blocked', waitMs: pair.endsMs - nowMs };
    if (pair.failures + pair.checking >= FAILURES_PER_MINUTE) return { kind: 'later' };
    pair.checking += 1;
    this.pairs.set(key, pair);
    return {
      kind: 'granted',
      done: (outcome) => {
        pair.checking -= 1;
        if (outcome === 'wrong') this.fail(key, pair, performance.now());
        else if (pair.failures + pair.checking === 0) this.pairs.delete(key);
        return Promise.resolve();
      },
    };
  }

  private current(key: string, nowMs: number): Pair {
    const pair = this.pairs.get(key) ?? { failures: 0, endsMs: Infinity, checking: 0 };
    if (pair.endsMs <= nowMs) Object.assign(pair, { failures: 0, endsMs: Infinity });
    return pair;
  }

  private fail(key: string, pair: Pair, nowMs: number): void {
    pair.failures += 1;
    if (pair.failures > 1) return;
    pair.endsMs = nowMs + WINDOW_MS;
    this.pairs.delete(key);
    this.pairs.set(key, pair);
    this.forgetOld(nowMs);
  }

  private forgetOld(nowMs: number): void {
    for (const [key, { endsMs, checking }] of this.pairs) {
      const isOver = endsMs <= nowMs && checking === 0;
      if (!isOver && checking === 0 && this.pairs.size <= MOST_PAIRS) return;
      if (isOver || this.pairs.size > MOST_PAIRS) this.pairs.delete(key);
    }
  }
}
