import { stepwise } from '../../platform/queue/time-slice.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Attempted, attempted, FAILED, type Outcome, outcomeOf } from '../../platform/outbox/outcome.js';
import { retryWaitMs } from '../../platform/outbox/retry-schedule.js';
import type { OutboundClient } from '../../platform/outbound/outbound-client.js';
import { type HeldLease, isAnySlow, type Pace, SLOW_MS } from '../../platform/outbox/leases.js';
import { notificationHeaders } from '../notification/notification-headers.js';
import type { ClaimedSubscription, DeliveryKind } from './delivery-claims.js';
import type { OutboxMetrics } from '../../platform/outbox/outbox-metrics.js';
import type { Amount, DueDelivery, Held } from './due-deliveries.js';
import type { Settlement, Settlements } from './settlements.js';

/** With more unrecorded attempts than this, a session waits for the database. */
const MOST_UNRECORDED = 600;
/** For how long a subscription is kept on which nothing is due: the next delivery needs no claim. */
const KEPT_MS = 1_000;

/** How much one session may have in progress (W-9), and read at a time. */
export interface Share {
  readonly underWay: number;
  readonly read: Amount;
}

/** Shared by the sessions of a process. */
export interface SessionTools {
  /** Reads what is due, in its turn; undefined if nothing may be delivered under the claim any more. */
  readonly read: (
    claim: ClaimedSubscription,
    request: () => { readonly except: readonly Uuid[]; readonly amount: Amount },
  ) => Promise<Held | undefined>;
  readonly settlements: Pick<Settlements, 'note'>;
  readonly client: Pick<OutboundClient, 'exchange'>;
  readonly metrics: Pick<OutboxMetrics, 'observe'>;
  /** `WEBHOOK_RETRY_SECONDS`. */
  readonly scheduleSeconds: readonly number[];
  readonly onFault: (fault: unknown) => void;
  /** The share of a session beside the others; `isProved`: whether it answers. */
  readonly shareOf: (isQuick: boolean, isProved: boolean) => Share;
  /** Whether there is room to keep subscriptions on which nothing is due. */
  readonly mayKeep: () => boolean;
}

/** Delivers to one claimed subscription for as long as something is due, a few at a time (W-9). */
export class DeliverySession implements DeliveryKind {
  readonly clientId: Uuid;
  readonly beganMs = performance.now();
  private readonly queue: DueDelivery[] = [];
  /** Read, and not recorded yet. */
  private readonly busy = new Set<Uuid>();
  /** Recorded since the current reading began, which may have found them due. */
  private readonly justRecorded = new Set<Uuid>();
  private readonly underWay = new Set<{ readonly atMs: number }>();
  private unrecorded = 0;
  private held: Held | undefined;
  /** Something may be due that has not been read. */
  private stale = true;
  private reading = false;
  private ended = false;
  private failure: { readonly error: unknown } | undefined;
  private onOver: () => void = () => undefined;
  private latestPace: Pace;
  private isProved: boolean;
  /** When the latest delivery began. */
  private deliveredMs = performance.now();
  /** The database's clock minus `performance.now()`. */
  private clockMs = 0;

  constructor(
    readonly claim: ClaimedSubscription,
    readonly lease: HeldLease,
    private readonly tools: SessionTools,
  ) {
    this.clientId = claim.clientId;
    this.latestPace = claim.pace;
    this.isProved = claim.pace === 'quick';
  }

  /** A long exchange counts before it ends. */
  get pace(): Pace {
    return isAnySlow(this.underWay) ? 'slow' : this.latestPace;
  }

  /** Deliveries that were read, and are not recorded yet. */
  get busyIds(): ReadonlySet<Uuid> {
    return this.busy;
  }

  /**
   * Ends a while after nothing is due, when everything that was sent is recorded. Throws if what is due could not be
   * read.
   */
  async run(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.onOver = resolve;
      this.pump();
    });
    if (this.failure !== undefined) throw this.failure.error;
  }

  /**
   * Something may have become due; false if the session has ended. Slow ones look for it when they are confirmed, so
   * that many of them cost little.
   */
  wake(): boolean {
    if (this.ended) return false;
    this.stale = true;
    if (this.pace !== 'slow') this.pump();
    return true;
  }

  /** A statement that began at `atMs` found the claim valid. */
  confirmed(atMs: number, { isRenewed, isDue }: { readonly isRenewed: boolean; readonly isDue: boolean }): void {
    if (isRenewed) this.lease.renewed(atMs);
    else this.lease.confirmed(atMs);
    this.stale ||= isDue;
    if (this.isIdle && performance.now() - this.deliveredMs >= KEPT_MS) this.ended = true;
    this.pump();
  }

  /** Begins no more deliveries. */
  finish(): void {
    this.ended = true;
    this.pump();
  }

  /** Begins no more deliveries, and sends none that waits for its connection. */
  revoke(): void {
    this.lease.revoke();
    this.finish();
  }

  /** Begins what may begin, and reads what may be due. */
  private pump(): void {
    const share = this.tools.shareOf(this.pace === 'quick', this.isProved);
    while (this.held !== undefined && this.mayBegin(share.underWay)) {
      const delivery = this.queue.shift();
      if (delivery === undefined) break;
      void this.deliver(this.held, delivery);
    }
    if (this.wantsMore(share)) void this.read();
    if (this.isIdle && (this.pace !== 'quick' || !this.tools.mayKeep())) this.ended = true;
    if (this.isQuiet && this.ended) this.onOver();
  }

  /** Nothing is in progress. */
  private get isQuiet(): boolean {
    return this.underWay.size === 0 && this.unrecorded === 0 && !this.reading;
  }

  private get isIdle(): boolean {
    return this.isQuiet && this.queue.length === 0 && !this.stale;
  }

  private mayBegin(mostUnderWay: number): boolean {
    const hasRoom = this.underWay.size < mostUnderWay && this.unrecorded <= MOST_UNRECORDED;
    return hasRoom && !this.ended && this.lease.isWanted;
  }

  /** Before the queue is empty if more is known to be due, otherwise when something could begin. */
  private wantsMore({ underWay, read }: Share): boolean {
    if (!this.stale || this.ended || this.reading) return false;
    return this.held?.more === true
      ? this.queue.length < read.most / 2
      : this.queue.length + this.underWay.size < underWay;
  }

  private async read(): Promise<void> {
    this.reading = true;
    try {
      const held = await this.tools.read(this.claim, () => {
        this.stale = false;
        this.justRecorded.clear();
        return { except: [...this.busy], amount: this.tools.shareOf(this.pace === 'quick', this.isProved).read };
      });
      if (held === undefined) this.revoke();
      else this.receive(held);
    } catch (error) {
      // Attempts in progress are still recorded.
      this.failure = { error };
      this.ended = true;
    }
    this.reading = false;
    this.pump();
  }

  private receive(held: Held): void {
    this.held = held;
    this.clockMs = held.nowMs - performance.now();
    this.stale ||= held.more;
    for (const delivery of held.deliveries) {
      if (this.justRecorded.has(delivery.id)) continue;
      this.busy.add(delivery.id);
      this.queue.push(delivery);
    }
  }

  private async deliver(held: Held, delivery: DueDelivery): Promise<void> {
    const begun = { atMs: performance.now() };
    this.underWay.add(begun);
    this.deliveredMs = begun.atMs;
    const nowMs = this.clockMs + begun.atMs;
    const made = await this.attempt(held, delivery, nowMs);
    this.underWay.delete(begun);
    if (made === undefined) {
      this.busy.delete(delivery.id);
      this.stale = true;
    } else {
      this.settle(delivery, nowMs, made);
    }
    this.pump();
  }

  /** Undefined if nothing was sent because it was no longer wanted. */
  private attempt(held: Held, delivery: DueDelivery, nowMs: number): Promise<Attempted<Outcome> | undefined> {
    const { id: deliveryId, format, body, correlationId, shaSecretGeneration } = delivery;
    const make = async (): ReturnType<OutboundClient['exchange']> => {
      const { callback, secrets } = held;
      const signing = { own: secrets.of(shaSecretGeneration), all: secrets.signing(shaSecretGeneration) };
      const atSeconds = Math.floor(nowMs / 1_000);
      const headers = await stepwise(
        notificationHeaders({ format, deliveryId, body, correlationId, atSeconds }, signing),
      );
      const isWanted = (): boolean => this.lease.isWanted;
      return this.tools.client.exchange({ method: 'POST', url: new URL(callback), headers, body, isWanted });
    };
    const { onFault } = this.tools;
    return attempted(make, { outcomeOf: (exchange) => outcomeOf(exchange, nowMs), failed: FAILED, onFault });
  }

  private settle(delivery: DueDelivery, nowMs: number, made: Attempted<Outcome>): void {
    const settlement = this.settlementOf(delivery, nowMs, made);
    const { verdict } = settlement;
    this.isProved = made.note.status !== null;
    this.latestPace = verdict === 'delivered' && made.note.durationMs < SLOW_MS ? 'quick' : 'slow';
    this.tools.metrics.observe({ outcome: verdict }, made.note, nowMs - delivery.dueMs);
    this.record(settlement);
    if (verdict === 'gone') this.revoke();
  }

  /** The record of an attempt, and the resulting state of its delivery (W-7). */
  private settlementOf({ id, failures }: DueDelivery, atMs: number, made: Attempted<Outcome>): Settlement {
    const { outcome, note } = made;
    const { subscriptionId, token } = this.claim;
    const settlement = { deliveryId: id, subscriptionId, token, failures, atMs, note, waitMs: 0 };
    if (outcome.kind !== 'failed') return { ...settlement, verdict: outcome.kind };
    const waitMs = retryWaitMs({
      failures: failures + 1,
      scheduleSeconds: this.tools.scheduleSeconds,
      jitter: Math.random(),
      retryAfterMs: outcome.retryAfterMs,
    });
    return waitMs === undefined ? { ...settlement, verdict: 'dead' } : { ...settlement, verdict: 'retry', waitMs };
  }

  /** The next delivery need not wait until this one is recorded. */
  private record(settlement: Settlement): void {
    this.unrecorded += 1;
    void this.tools.settlements.note(settlement).then(() => {
      this.unrecorded -= 1;
      this.busy.delete(settlement.deliveryId);
      if (this.reading) this.justRecorded.add(settlement.deliveryId);
      this.pump();
    });
  }
}
