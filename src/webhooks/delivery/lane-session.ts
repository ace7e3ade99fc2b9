import { setTimeout as sleep } from 'node:timers/promises';

import type { SubscriberClient } from '../subscriber-http/subscriber-client.js';
import { notificationHeaders } from '../notification/notification-headers.js';
import type { DeliveryMetrics } from './delivery-metrics.js';
import type { Claim, DueDelivery, Held, Lanes } from './lanes.js';
import { noteOf, outcomeOf } from './outcome.js';
import { retryWaitMs } from './retry-schedule.js';
import type { Settlement, Settlements } from './settlements.js';

export interface SessionTools {
  readonly lanes: Lanes;
  readonly settlements: Settlements;
  readonly client: SubscriberClient;
  readonly metrics: DeliveryMetrics;
  readonly userAgent: string;
  /** Deliveries under way at a time (W-9). */
  readonly most: number;
  readonly scheduleSeconds: readonly number[];
  readonly leaseMs: number;
  readonly timeoutMs: number;
  /** In `[0, 1)`. */
  readonly random: () => number;
}

/** Deliveries that are read at a time, and how few may be left before more are read: so that none is waited for. */
const READ_AT_A_TIME = 250;
const READ_AGAIN_BELOW = 100;
/** Left of a lease, beside the deadline of an exchange, when the last exchange begins. */
const MARGIN_MS = 5_000;
/** How often to look for what has become due while deliveries are under way. */
const LOOK_MS = 1_000;
/** More than this many attempts that are not noted yet, and the lane waits for the database. */
const MOST_UNNOTED = 600;

/** Delivers to one subscription for as long as something is due, a few at a time. */
export class LaneSession {
  private readonly queue: DueDelivery[] = [];
  /** Read, and not yet noted: not to be read again. */
  private readonly busy = new Set<string>();
  private readonly notes = new Set<Promise<void>>();
  private underWay = 0;
  /** Something may be due that has not been read. */
  private stale = false;
  private ended = false;
  private reading: Promise<void> | undefined;
  private wakeUp: () => void = () => undefined;
  private changed = this.nextChange();
  private held: Held | undefined;
  private renewedMs = 0;
  /** The database's clock less `performance.now()`. */
  private clockMs = 0;

  constructor(
    private claim: Claim,
    private readonly tools: SessionTools,
  ) {}

  /** Ends when nothing is due and nothing under way; throws what the database does. */
  async run(): Promise<void> {
    const beganMs = performance.now();
    const opened = await this.tools.lanes.open(this.claim, READ_AT_A_TIME);
    if (opened === undefined) return;
    this.claim = opened.claim;
    this.receive(opened.held, beganMs);
    await Promise.all(Array.from({ length: this.tools.most }, () => this.work()));
    // Nobody else may deliver before what was delivered is noted.
    await Promise.all(this.notes);
    await this.tools.lanes.release(this.claim);
  }

  /** Something may have become due. */
  wake(): void {
    this.stale = true;
    this.announce();
  }

  /** Begins no delivery any more. */
  stop(): void {
    this.ended = true;
    this.announce();
  }

  get failing(): boolean {
    return this.claim.failing;
  }

  private async work(): Promise<void> {
    for (let delivery = await this.next(); delivery !== undefined; delivery = await this.next()) {
      this.underWay += 1;
      try {
        await this.deliver(delivery);
      } finally {
        this.underWay -= 1;
        this.announce();
      }
    }
  }

  private async next(): Promise<DueDelivery | undefined> {
    for (;;) {
      if (this.ended) return undefined;
      if (performance.now() > this.renewedMs + this.tools.leaseMs - this.tools.timeoutMs - MARGIN_MS)
        this.forgetQueue();
      const delivery = this.queue.shift();
      if (this.stale && this.queue.length < READ_AGAIN_BELOW) void this.read();
      if (delivery !== undefined) return delivery;
      if (this.reading !== undefined) await this.reading;
      else if (this.underWay === 0) return undefined;
      else if (!(await this.changeWithin(LOOK_MS))) this.stale = true;
    }
  }

  /** What was read too long ago may be somebody else's by now. */
  private forgetQueue(): void {
    for (const { id } of this.queue.splice(0)) this.busy.delete(id);
    this.stale = true;
  }

  private read(): Promise<void> {
    this.reading ??= this.readMore().finally(() => {
      this.reading = undefined;
      this.announce();
    });
    return this.reading;
  }

  private async readMore(): Promise<void> {
    this.stale = false;
    const beganMs = performance.now();
    try {
      const held = await this.tools.lanes.take(this.claim, [...this.busy], READ_AT_A_TIME);
      if (held === undefined) this.ended = true;
      else this.receive(held, beganMs);
    } catch {
      // The database is away, which whoever claims lanes will say. What is under way is still noted.
      this.ended = true;
    }
  }

  private receive(held: Held, beganMs: number): void {
    this.held = held;
    this.renewedMs = beganMs;
    this.clockMs = held.nowMs - performance.now();
    this.stale ||= held.more;
    for (const delivery of held.deliveries) {
      this.busy.add(delivery.id);
      this.queue.push(delivery);
    }
  }

  private async deliver(delivery: DueDelivery): Promise<void> {
    if (this.held === undefined) return;
    const { callback, format, key } = this.held;
    const { client, metrics, userAgent, scheduleSeconds, random } = this.tools;
    const beganMs = performance.now();
    const nowMs = this.clockMs + beganMs;
    const { id: deliveryId, body, correlationId } = delivery;
    const attempt = { format, deliveryId, body, correlationId, userAgent, atSeconds: Math.floor(nowMs / 1_000) };
    const headers = notificationHeaders(attempt, key);
    const exchange = await client.exchange({ method: 'POST', url: callback, headers, body });

    const outcome = outcomeOf(exchange, nowMs);
    const failures = delivery.failures + 1;
    const waitMs =
      outcome.kind === 'failed'
        ? retryWaitMs({ failures, scheduleSeconds, jitter: random(), retryAfterMs: outcome.retryAfterMs })
        : undefined;
    const verdict = outcome.kind === 'failed' ? (waitMs === undefined ? 'dead' : 'retry') : outcome.kind;
    const { subscriptionId, token } = this.claim;
    const note = noteOf(exchange);
    metrics.observe({ verdict, note, waitedMs: nowMs - delivery.dueMs });
    await this.note({
      deliveryId,
      subscriptionId,
      token,
      atMs: nowMs,
      note,
      verdict,
      waitMs: waitMs ?? 0,
    });
    if (verdict === 'gone') this.stop();
  }

  /** The next delivery need not wait for the note of this one, unless too many are waited for. */
  private async note(settlement: Settlement): Promise<void> {
    const noted = this.tools.settlements.note(settlement).then(() => {
      this.busy.delete(settlement.deliveryId);
      this.notes.delete(noted);
    });
    this.notes.add(noted);
    if (this.notes.size > MOST_UNNOTED) await noted;
  }

  private announce(): void {
    this.wakeUp();
    this.changed = this.nextChange();
  }

  private nextChange(): Promise<true> {
    return new Promise((resolve) => {
      this.wakeUp = () => {
        resolve(true);
      };
    });
  }

  private async changeWithin(ms: number): Promise<boolean> {
    const over = new AbortController();
    const timer = sleep(ms, false, { signal: over.signal }).catch(() => false);
    const result = await Promise.race([this.changed, timer]);
    over.abort();
    return result;
  }
}
