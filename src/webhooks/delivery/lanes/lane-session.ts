import { notificationHeaders } from '../../notification/notification-headers.js';
import type { SubscriberClient } from '../../subscriber-http/subscriber-client.js';
import type { DeliveryMetrics } from '../delivery-metrics.js';
import type { Amount, DueDeliveries, DueDelivery, Held } from '../due-deliveries.js';
import type { Attempted } from '../outcome/outcome.js';
import { attempted } from '../outcome/outcome.js';
import { retryWaitMs } from '../outcome/retry-schedule.js';
import type { Settlement, Settlements } from '../settlements.js';
import type { Pace } from './lane-pace.js';
import { SLOW_MS } from './lane-pace.js';
import type { Claim, Lanes } from './lanes.js';
import type { ReadTurns } from './read-turns.js';

/** What a session works with. */
export interface SessionTools {
  readonly lanes: Pick<Lanes, 'release'>;
  readonly due: Pick<DueDeliveries, 'open' | 'take'>;
  readonly turns: ReadTurns;
  readonly settlements: Pick<Settlements, 'note'>;
  readonly client: Pick<SubscriberClient, 'exchange'>;
  readonly metrics: Pick<DeliveryMetrics, 'observe'>;
  readonly userAgent: string;
  readonly scheduleSeconds: readonly number[];
  readonly leaseMs: number;
  readonly timeoutMs: number;
  /** In `[0, 1)`. */
  readonly random: () => number;
  readonly onFault: (fault: unknown) => void;
  /** Whether this process holds what it has claimed (W-16). */
  readonly isHolding: () => boolean;
  /** What a lane of that pace may have under way (W-9) and read at a time, beside the others. */
  readonly shareOf: (pace: Pace) => { readonly underWay: number; readonly read: Amount };
}

/** An exchange that has begun. */
interface UnderWay {
  readonly beganMs: number;
}

/** Left of a lease, beside the deadline of an exchange, when the last exchange begins. */
const MARGIN_MS = 5_000;
/** More than this many attempts that are not noted yet, and the lane waits for the database. */
const MOST_UNNOTED = 600;
/** For how long it holds that a claim is good: what others ended is begun no more within two seconds (W-3, W-12). */
const CONFIRMED_MS = 1_900;

/** Delivers to one subscription for as long as something is due, a few at a time. */
export class LaneSession {
  private readonly queue: DueDelivery[] = [];
  /** Read, and not yet noted: not to be read again. */
  private readonly busy = new Set<string>();
  private readonly notes = new Set<Promise<void>>();
  private readonly underWay = new Set<UnderWay>();
  /** Something may be due that has not been read. */
  private stale = false;
  /** More was due when it was read the latest time. */
  private more = false;
  private ended = false;
  private revoked = false;
  private reading = false;
  private onIdle: () => void = () => undefined;
  private held: Held | undefined;
  private latestPace: Pace;
  /** When the latest statement began that renewed the lease, and the latest that found the claim good. */
  private renewedMs = 0;
  private confirmedMs = 0;
  /** The database's clock less `performance.now()`. */
  private clockMs = 0;

  constructor(
    private current: Claim,
    private readonly tools: SessionTools,
  ) {
    this.latestPace = current.pace;
  }

  get claim(): Claim {
    return this.current;
  }

  /** Whether deliveries can be under way. */
  get isOpen(): boolean {
    return this.held !== undefined;
  }

  /** An exchange that takes long tells before it ends. */
  get pace(): Pace {
    const slowSinceMs = performance.now() - SLOW_MS;
    return [...this.underWay].some(({ beganMs }) => beganMs <= slowSinceMs) ? 'slow' : this.latestPace;
  }

  /** Takes the claim up; false when there is nothing to take. Throws what the database does. */
  async open(): Promise<boolean> {
    const beganMs = performance.now();
    const opened = await this.tools.due.open(this.current, this.tools.shareOf(this.latestPace).read);
    if (opened === undefined) return false;
    this.current = opened.claim;
    this.receive(opened.held, beganMs);
    return true;
  }

  /**
   * Ends when nothing is due and nothing under way; yields whether something may be due after all. Throws as `open`.
   */
  async run(): Promise<boolean> {
    do {
      await new Promise<void>((resolve) => {
        this.onIdle = resolve;
        this.pump();
      });
      // Nobody else may deliver before what was delivered is noted, that included which was delivered meanwhile.
      await Promise.all(this.notes);
    } while (!this.isDone || this.notes.size > 0);
    this.ended = true;
    await this.tools.lanes.release(this.current);
    return this.stale;
  }

  /**
   * Something may have become due. Who is slow is looked after when claims are, so that many of them ask for little.
   */
  wake(): void {
    this.stale = true;
    if (this.pace !== 'slow') this.pump();
  }

  /** The claim was found good, by a statement that began at `atMs`. */
  confirm(atMs: number): void {
    this.confirmedMs = Math.max(this.confirmedMs, atMs);
    this.stale = true;
    this.pump();
  }

  /** Begins no delivery any more. */
  finish(): void {
    this.ended = true;
    this.pump();
  }

  /** Begins no delivery any more, and sends none that waits for its connection. */
  revoke(): void {
    this.revoked = true;
    this.finish();
  }

  /** Begins what may begin, and reads what may be due. */
  private pump(): void {
    if (this.held === undefined) return;
    const share = this.tools.shareOf(this.pace);
    while (this.mayBegin(share.underWay)) {
      const delivery = this.queue.shift();
      if (delivery === undefined) break;
      void this.deliver(this.held, delivery);
    }
    if (this.wantsMore(share)) void this.read(share.read);
    if (this.isDone) this.onIdle();
  }

  private get isDone(): boolean {
    if (this.underWay.size > 0 || this.reading) return false;
    return this.ended || (this.queue.length === 0 && !this.stale);
  }

  private mayBegin(mostUnderWay: number): boolean {
    if (this.ended || this.underWay.size >= mostUnderWay || this.notes.size > MOST_UNNOTED) return false;
    if (performance.now() > this.renewedMs + this.tools.leaseMs - this.tools.timeoutMs - MARGIN_MS) this.forgetQueue();
    return this.isGood;
  }

  /** Whether the claim is known to be good. */
  private get isGood(): boolean {
    return !this.revoked && this.tools.isHolding() && performance.now() < this.confirmedMs + CONFIRMED_MS;
  }

  /** Before it runs dry where more is known to be due, else when something could begin. */
  private wantsMore({ underWay, read }: ReturnType<SessionTools['shareOf']>): boolean {
    if (!this.stale || this.ended || this.reading) return false;
    return this.more ? this.queue.length < read.most / 2 : this.queue.length + this.underWay.size < underWay;
  }

  /** What was read too long ago may be somebody else's by now. */
  private forgetQueue(): void {
    for (const { id } of this.queue.splice(0)) this.busy.delete(id);
    this.stale = true;
  }

  private async read(amount: Amount): Promise<void> {
    this.reading = true;
    try {
      await this.tools.turns.take(this.pace, async () => {
        if (this.ended) return;
        this.stale = false;
        const beganMs = performance.now();
        const held = await this.tools.due.take(this.current, [...this.busy], amount);
        if (held === undefined) this.revoked = this.ended = true;
        else this.receive(held, beganMs);
      });
    } catch {
      // The database is away, which whoever claims lanes will say. What is under way is still noted.
      this.ended = true;
    }
    this.reading = false;
    this.pump();
  }

  private receive(held: Held, beganMs: number): void {
    this.held = held;
    this.renewedMs = beganMs;
    this.confirmedMs = Math.max(this.confirmedMs, beganMs);
    this.clockMs = held.nowMs - performance.now();
    this.more = held.more;
    this.stale ||= held.more;
    for (const delivery of held.deliveries) {
      this.busy.add(delivery.id);
      this.queue.push(delivery);
    }
  }

  private async deliver(held: Held, delivery: DueDelivery): Promise<void> {
    const begun: UnderWay = { beganMs: performance.now() };
    this.underWay.add(begun);
    const nowMs = this.clockMs + begun.beganMs;
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

  private attempt(held: Held, delivery: DueDelivery, nowMs: number): Promise<Attempted | undefined> {
    const { client, userAgent, onFault } = this.tools;
    const { id: deliveryId, body, correlationId, shaSecretGeneration } = delivery;
    const make = (): ReturnType<SubscriberClient['exchange']> => {
      const { callback, format, secrets } = held;
      const atSeconds = Math.floor(nowMs / 1_000);
      const headers = notificationHeaders(
        { format, deliveryId, body, correlationId, userAgent, atSeconds },
        { own: secrets.of(shaSecretGeneration), all: secrets.signing(shaSecretGeneration) },
      );
      return client.exchange({ method: 'POST', url: new URL(callback), headers, body, isWanted: () => this.isGood });
    };
    return attempted(make, nowMs, onFault);
  }

  private settle(delivery: DueDelivery, nowMs: number, { outcome, note }: Attempted): void {
    const { metrics, scheduleSeconds, random } = this.tools;
    const failures = delivery.failures + 1;
    const waitMs =
      outcome.kind === 'failed'
        ? retryWaitMs({ failures, scheduleSeconds, jitter: random(), retryAfterMs: outcome.retryAfterMs })
        : undefined;
    const verdict = outcome.kind === 'failed' ? (waitMs === undefined ? 'dead' : 'retry') : outcome.kind;
    this.latestPace = verdict === 'delivered' && note.durationMs < SLOW_MS ? 'quick' : 'slow';
    metrics.observe({ verdict, note, waitedMs: nowMs - delivery.dueMs });
    const { subscriptionId, token } = this.current;
    const waited = waitMs ?? 0;
    this.note({ deliveryId: delivery.id, subscriptionId, token, atMs: nowMs, note, verdict, waitMs: waited });
    if (verdict === 'gone') this.revoke();
  }

  /** The next delivery need not wait for the note of this one, unless too many are waited for. */
  private note(settlement: Settlement): void {
    const noted = this.tools.settlements.note(settlement).then(() => {
      this.busy.delete(settlement.deliveryId);
      this.notes.delete(noted);
      if (this.notes.size === MOST_UNNOTED) this.pump();
    });
    this.notes.add(noted);
  }
}
