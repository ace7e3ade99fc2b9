import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Counter } from 'prom-client';
import { type Refusal, REFUSALS } from '../../kernel/errors/service-error.js';
import { Metrics } from '../metrics/metrics.js';

/** At most one line a second per client. */
const QUIET_MS = 1_000;
/** Remembered clients; a forgotten one costs one more line. */
const MOST_QUIET = 10_000;

interface Quiet {
  readonly sinceMs: number;
  unsaid: number;
}

@Injectable()
export class Refusals {
  private readonly log = new Logger(Refusals.name);
  private readonly quiet = new LRUCache<string, Quiet>({ max: MOST_QUIET });
  private readonly counts: Counter;

  constructor(metrics: Metrics = new Metrics()) {
    this.counts = metrics.counter('matricula_refusals_total');
    // Prometheus sees increases only in a known series, so each starts at 0.
    for (const refusal of REFUSALS) this.counts.inc({ refusal }, 0);
  }

  /** `client`: the token's `sub`, or else the address. */
  note(refusal: Refusal, client: string): void {
    this.counts.inc({ refusal });
    const key = `${refusal} ${client}`;
    const last = this.quiet.peek(key);
    const nowMs = performance.now();
    if (last !== undefined && nowMs - last.sinceMs < QUIET_MS) {
      last.unsaid += 1;
      return;
    }
    this.quiet.set(key, { sinceMs: nowMs, unsaid: 0 });
    this.log.warn(
      { refusal, client, ...(last !== undefined && last.unsaid > 0 && { before: last.unsaid }) },
      'refused',
    );
  }
}
