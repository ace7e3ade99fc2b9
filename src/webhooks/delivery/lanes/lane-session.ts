import { randomUUID } from 'node:crypto';
import type { Attempted, Outcome } from '../../../platform/outbox/outcome.js';
import { type Pace, SLOW_MS } from '../../../platform/outbox/pace.js';
import type { Amount, DueDelivery, Held } from '../due-deliveries.js';
import type { Settlement } from '../settlements.js';
import { attemptOf, settlementOf } from './lane-attempt.js';
import type { Offer } from './lane-offers.js';
import type { Lease } from './lanes.js';
import { LeaseValidity } from './lease-validity.js';
import { Lingering } from './lingering.js';
import { RecentIds } from './recent-ids.js';
import type { SessionTools, Share } from './session-tools.js';

/** With more unrecorded attempts than this, the lane waits for the database. */
const MOST_UNNOTED = 600;
/** Of what was read, so many are remembered. */
const MOST_REMEMBERED = 250;

/** An exchange that has begun, or is about to: since Infinity while it waits for its turn. */
interface UnderWay {
  beganMs: number;
}

/** Delivers to one subscription as long as something is due, a few at a time. */
export class LaneSession {
  private readonly queue: DueDelivery[] = [];
  /** Read, but not recorded yet: must not be read again. */
  private readonly busy = new Set<string>();
  /** Recorded since the current reading began, which may still have found them due. */
  private readonly notedMeanwhile = new Set<string>();
  /** Not to be sent again if it is offered after all: the answer to its commit may come late. */
  private readonly readLately = new RecentIds(MOST_REMEMBERED);
  private readonly notes = new Set<Promise<void>>();
  private readonly underWay = new Set<UnderWay>();
  /** Something may be due that has not been read. */
  private stale = false;
  /** More was due at the latest reading. */
  private more = false;
  /** Nothing begins before `run`: a check of leases made while the lane was opened did not cover it (W-3, W-12). */
  private started = false;
  private ended = false;
  private revoked = false;
  private reading = false;
  private readingFailed: { readonly error: unknown } | undefined;
  private onIdle: () => void = () => undefined;
  private readonly lingering = new Lingering();
  private held: Held | undefined;
  private latestPace: Pace;
  /** Whether it answers: until it has, it gets less if there are many such lanes. */
  private isProved: boolean;
  private readonly lease: LeaseValidity;
  /** The database's clock minus `performance.now()`. */
  private clockMs = 0;

  /** The lease under its own token: see `open`. */
  readonly claim: Lease;

  constructor(
    private readonly given: Lease,
    private readonly tools: SessionTools,
  ) {
    this.claim = { ...given, token: randomUUID() };
    this.lease = new LeaseValidity(tools);
    this.latestPace = given.pace;
    this.isProved = given.pace === 'quick';
  }

  /** What may still be held if the session fails: if the answer to `open` was lost, the lane has either token. */
  get leases(): readonly Lease[] {
    return [this.given, this.claim];
  }

  /** Whether deliveries can be in progress. */
  get isOpen(): boolean {
    return this.held !== undefined;
  }

  /** A long exchange counts before it ends. */
  get pace(): Pace {
    const slowSinceMs = performance.now() - SLOW_MS;
    return [...this.underWay].some(({ beganMs }) => beganMs <= slowSinceMs) ? 'slow' : this.latestPace;
  }

  /** Takes up the lease; false if there is nothing to take up. Throws database errors. */
  async open(): Promise<boolean> {
    let beganMs = 0;
    const held = await this.tools.turns.take(this.latestPace, () => {
      beganMs = performance.now();
      return this.tools.due.open(this.given, this.claim.token, this.share.read);
    });
    if (held === undefined) return false;
    this.receive(held, beganMs);
    return true;
  }

  /**
   * Ends a moment after nothing is due or in progress; resolves with whether something may be due after all. Throws as
   * `open` does, also where a reading failed, when what was in progress is recorded.
   */
  async run(): Promise<boolean> {
    this.started = true;
    for (;;) {
      await new Promise<void>((resolve) => {
        this.onIdle = resolve;
        this.pump();
      });
      // Nobody else may deliver before everything delivered is recorded, including what was delivered meanwhile.
      await Promise.all(this.notes);
      if (!this.isDone || this.notes.size > 0) continue;
      if (!this.mayLinger) break;
      await this.lingering.untilStirred();
    }
    this.ended = true;
    // If hundreds of exchanges end together, quick subscribers go first.
    await this.tools.turns.take(this.pace, () => this.tools.lanes.release(this.claim));
    if (this.readingFailed !== undefined) throw this.readingFailed.error;
    return this.stale || this.queue.length > 0;
  }

  /** Something may have become due. Slow lanes check this when leases are checked, so that many of them cost little. */
  wake(): void {
    this.stale = true;
    if (this.pace !== 'slow') this.pump();
  }

  /**
   * Takes a delivery that was just committed: it is next if nothing older is known to wait, otherwise it is read in its
   * turn. False if the lane is being opened or released.
   */
  offer({ delivery, currentShaSecret }: Offer): boolean {
    const { held, share } = this;
    if (held === undefined || this.ended) return false;
    const hasRoom = this.queue.length < share.underWay && this.pace !== 'slow';
    if (this.stale || !hasRoom || !held.secrets.areOnly(currentShaSecret)) {
      this.wake();
    } else if (!this.busy.has(delivery.id) && !this.readLately.has(delivery.id)) {
      this.busy.add(delivery.id);
      this.queue.push(delivery);
      this.pump();
    }
    return true;
  }

  /** Deliveries that were read or offered, and are not recorded yet. */
  get busyIds(): ReadonlySet<string> {
    return this.busy;
  }

  /** A statement that began at `atMs` found the lease valid, and perhaps something due that was not read. */
  confirm(atMs: number, isDue: boolean): void {
    this.lease.confirmed(atMs);
    this.stale ||= isDue || this.lease.isDueForRenewal;
    this.pump();
  }

  /** Begins no more deliveries. */
  finish(): void {
    this.ended = true;
    this.pump();
  }

  /** Begins no more deliveries, and sends none that waits for its connection. */
  revoke(): void {
    this.revoked = true;
    this.finish();
  }

  /** Begins what may begin, and reads what may be due. */
  private pump(): void {
    if (this.held === undefined || !this.started) return;
    this.lingering.stir();
    const { share } = this;
    while (this.mayBegin(share.underWay)) {
      const delivery = this.queue.shift();
      if (delivery === undefined) break;
      void this.deliver(this.held, delivery);
    }
    if (this.wantsMore(share)) void this.read(share.read);
    if (this.isDone) this.onIdle();
  }

  private get isDone(): boolean {
    return this.underWay.size === 0 && !this.reading && (this.ended || (this.queue.length === 0 && !this.stale));
  }

  /** Whether a lane on which nothing is due is kept. */
  private get mayLinger(): boolean {
    return !this.ended && this.pace === 'quick' && this.tools.mayLinger() && this.lingering.restMs > 0;
  }

  private get share(): Share {
    return this.tools.shareOf(this.pace, this.isProved);
  }

  private mayBegin(mostUnderWay: number): boolean {
    if (this.ended || this.underWay.size >= mostUnderWay || this.notes.size > MOST_UNNOTED) return false;
    if (!this.lease.outlastsAnExchange) this.forgetQueue();
    return this.isGood;
  }

  /** Whether the lease is known to be valid. */
  private get isGood(): boolean {
    return !this.revoked && this.tools.isHolding(this.lease.confirmedAtMs) && this.lease.isFresh;
  }

  /** Before the queue is empty if more is known to be due, otherwise when something could begin. */
  private wantsMore({ underWay, read }: Share): boolean {
    if (!this.stale || this.ended || this.reading) return false;
    return this.more ? this.queue.length < read.most / 2 : this.queue.length + this.underWay.size < underWay;
  }

  /** Deliveries read too long ago may belong to somebody else by now. */
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
        const held = await this.tools.due.take(this.claim, [...this.busy], amount);
        if (held === undefined) this.revoked = this.ended = true;
        else this.receive(held, beganMs);
      });
    } catch (error) {
      // Exchanges in progress are still recorded: `run` fails with it when they are.
      this.readingFailed = { error };
      this.ended = true;
    }
    this.reading = false;
    this.notedMeanwhile.clear();
    this.pump();
  }

  private receive(held: Held, beganMs: number): void {
    this.held = held;
    this.lease.renewed(beganMs);
    this.clockMs = held.nowMs - performance.now();
    this.more = held.more;
    this.stale ||= held.more;
    for (const delivery of held.deliveries) {
      // Offered since the reading began.
      if (this.busy.has(delivery.id) || this.notedMeanwhile.has(delivery.id)) continue;
      this.busy.add(delivery.id);
      this.readLately.add(delivery.id);
      this.queue.push(delivery);
    }
  }

  private async deliver(held: Held, delivery: DueDelivery): Promise<void> {
    const begun: UnderWay = { beganMs: Infinity };
    this.underWay.add(begun);
    const letGo = await this.tools.beginnings.take(this.pace, held.clientId);
    begun.beganMs = performance.now();
    this.lingering.delivered();
    const nowMs = this.clockMs + begun.beganMs;
    const isWanted = (): boolean => {
      letGo();
      return this.isGood;
    };
    const mayStill = !this.ended && this.lease.outlastsAnExchange && this.isGood;
    const made = mayStill ? await attemptOf({ held, delivery, nowMs, isWanted }, this.tools) : undefined;
    letGo();
    this.underWay.delete(begun);
    if (made === undefined) {
      this.busy.delete(delivery.id);
      this.stale = true;
    } else {
      this.settle(delivery, nowMs, made);
    }
    this.pump();
  }

  private settle(delivery: DueDelivery, nowMs: number, made: Attempted<Outcome>): void {
    const { durationMs, status } = made.note;
    const settlement = settlementOf(this.claim, { delivery, nowMs, made }, this.tools);
    this.isProved = status !== null;
    this.latestPace = settlement.verdict === 'delivered' && durationMs < SLOW_MS ? 'quick' : 'slow';
    this.tools.metrics.observe({ verdict: settlement.verdict, note: made.note, waitedMs: nowMs - delivery.dueMs });
    this.note(settlement);
    if (settlement.verdict === 'gone') this.revoke();
  }

  /** The next delivery need not wait until this one is recorded, unless too many are unrecorded. */
  private note(settlement: Settlement): void {
    const noted = this.tools.settlements.note(settlement).then(() => {
      this.busy.delete(settlement.deliveryId);
      if (this.reading) this.notedMeanwhile.add(settlement.deliveryId);
      this.notes.delete(noted);
      if (this.notes.size === MOST_UNNOTED) this.pump();
    });
    this.notes.add(noted);
  }
}
