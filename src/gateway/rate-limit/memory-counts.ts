import { LRUCache } from 'lru-cache';

import { WINDOW_MS } from './attempts.js';

/** Some tens of megabytes; beyond that the counts that were used longest ago are forgotten. */
const MOST_KEYS = 100_000;

interface Count {
  requests: number;
  readonly endsMs: number;
}

/** Requests of this process, by key: each count is forgotten a minute after its first request. */
export class MemoryCounts {
  private readonly counts = new LRUCache<string, Count>({ max: MOST_KEYS });

  /** Counts one more; yields how many milliseconds the key must wait if that is more than `most` in a minute. */
  add(key: string, most: number, nowMs = performance.now()): number | undefined {
    const found = this.counts.get(key);
    const count = found === undefined || found.endsMs <= nowMs ? { requests: 0, endsMs: nowMs + WINDOW_MS } : found;
    count.requests += 1;
    if (count !== found) this.counts.set(key, count);
    return count.requests > most ? count.endsMs - nowMs : undefined;
  }
}
