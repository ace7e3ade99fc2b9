import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Counter, Registry } from 'prom-client';
import { type Refusal, REFUSALS } from '../../kernel/errors/refusal.js';

/** A client that is refused repeatedly gets one line a second. */
const QUIET_MS = 1_000;
/** How many clients are remembered until their next line; beyond that the oldest is forgotten, which costs a line. */
const MOST_QUIET = 10_000;

interface Quiet {
  readonly sinceMs: number;
  unsaid: number;
}

/** Counts and logs what the service refused to protect itself, each with its client. */
@Injectable()
export class Refusals {
  readonly registry = new Registry();
  private readonly log = new Logger(Refusals.name);
  private readonly quiet = new LRUCache<string, Quiet>({ max: MOST_QUIET });
  private readonly counts = new Counter({
    name: 'matricula_refusals_total',
    help: 'Work that was turned away to protect the service, its database or its other clients',
    labelNames: ['refusal'] as const,
    registers: [this.registry],
  });

  constructor() {
    // Prometheus sees an increase only in a series that it has seen before: the first refusal of a kind is one.
    for (const refusal of REFUSALS) this.counts.inc({ refusal }, 0);
  }

  /** `client` is the `sub` of its token, or its address if it has none. */
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
