import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { ChangeFeed, Channel } from '../database/connection/change-feed.js';
import type { SessionLock } from '../database/connection/session-lock.js';
import { interruptibleSleep } from '../jobs/periodic.js';
import { HeldLease, type PaceOf, type RowClaims } from './leases.js';

/** A pause that can be ended early. */
export class Pause {
  private ended = new AbortController();

  /** Ends the current pause or, if there is none, the next one. */
  end(): void {
    this.ended.abort();
  }

  /** Pauses for `mostMs`, or until it is ended, but not for less than `leastMs`. */
  async begin(leastMs: number, mostMs: number): Promise<void> {
    await sleep(leastMs);
    await interruptibleSleep(mostMs - leastMs, this.ended.signal);
    this.ended = new AbortController();
  }
}

/** A row that nobody announced is found within this time (W-8). */
const SWEEP_MS = 1_000;
/** Announcements closer together count as one. */
const LEAST_MS = 10;
/** How long claiming must fail until it counts as impossible: a single failure may be an accident. */
const DOWN_MS = 10 * SWEEP_MS;
/** How long until it is tried again to record an outcome. */
const RETRY_MS = 250;

/** An outbox, and what a process does with each row that it has claimed. */
export interface Outbox<Kind, Row> {
  /** For the log: `confirmations` and `confirmation`. */
  readonly what: string;
  readonly one: string;
  /** Where it is announced that something is due. */
  readonly channel: Channel;
  readonly claims: RowClaims<Kind, Row>;
  readonly paceOf: PaceOf<Kind>;
  /** Does what the row asks for, records the outcome, and releases the row. */
  readonly work: (row: Row, lease: HeldLease) => Promise<void>;
  /** Breaks off the exchanges that are in progress. */
  readonly abort: () => void;
}

/**
 * Works an outbox for as long as the process lives (W-8, W-16): claims what is due, woken by the database or by the
 * clock, works on each row until its outcome is recorded, and ends in order (P-8). Deliveries, confirmations and
 * notices each have one.
 */
export class OutboxEngine<Kind, Row> {
  private readonly log = new Logger(OutboxEngine.name);
  private readonly pause = new Pause();
  private readonly underWay = new Set<Promise<void>>();
  private claiming: Promise<void> | undefined;
  private stopping: Promise<void> | undefined;
  private stopped = false;
  private givenUp = false;
  /** `performance.now()` when something was last claimed, or there was nothing to claim. */
  private claimedMs = performance.now();
  /** When leases of dead processes were last released; undefined before. */
  private freedMs: number | undefined;

  constructor(
    private readonly outbox: Outbox<Kind, Row>,
    private readonly lock: SessionLock,
    feed: ChangeFeed,
  ) {
    lock.onHeld(() => {
      this.wake();
    });
    feed.on(outbox.channel, () => {
      this.wake();
    });
  }

  /** Whether what is due is being claimed. */
  get isClaiming(): boolean {
    return performance.now() - this.claimedMs < DOWN_MS;
  }

  start(): void {
    this.lock.start();
    this.claiming ??= this.claimAlways();
  }

  /** Something may be due. */
  wake(): void {
    this.pause.end();
  }

  /** Something will be due; what is due later than the next sweep is found by it. */
  wakeAfter(waitMs: number): void {
    if (waitMs >= SWEEP_MS) return;
    setTimeout(() => {
      this.wake();
    }, waitMs).unref();
  }

  /**
   * Records an outcome for as long as the process lives, so that nothing is asked or sent again. Undefined if given up.
   */
  async untilRecorded<T>(record: () => Promise<T>): Promise<T | undefined> {
    for (let failing = false; ; failing = true) {
      try {
        return await record();
      } catch (error) {
        if (!failing) this.log.error(`the outcome of a ${this.outbox.one} cannot be recorded; trying again`, error);
        if (this.givenUp) return undefined;
        await sleep(RETRY_MS);
      }
    }
  }

  /** Begins nothing more; what is in progress has `graceMs` to end, and the next process finds the rest. */
  stop(graceMs: number): Promise<void> {
    this.stopping ??= this.end(graceMs);
    return this.stopping;
  }

  private async claimAlways(): Promise<void> {
    let failing = false;
    while (!this.stopped) {
      try {
        const isMore = this.lock.isHeld && (await this.claim());
        failing = false;
        if (this.lock.isHeld) this.claimedMs = performance.now();
        if (!isMore) await this.pause.begin(LEAST_MS, SWEEP_MS);
      } catch (error) {
        if (!failing) this.log.warn(`${this.outbox.what} cannot be claimed; trying again`, error);
        failing = true;
        await this.pause.begin(SWEEP_MS, SWEEP_MS);
      }
    }
  }

  /** Never waits for the work: whatever ends wakes the loop. Resolves with whether more may be due. */
  private async claim(): Promise<boolean> {
    const { claims, paceOf, work } = this.outbox;
    if (this.freedMs === undefined || performance.now() - this.freedMs >= SWEEP_MS) {
      await claims.freeOfTheDead(this.freedMs === undefined);
      this.freedMs = performance.now();
    }
    const sinceMs = performance.now();
    const rows = await claims.claim(paceOf);
    for (const row of rows) this.begin(work(row, new HeldLease(sinceMs, claims.terms, this.isHolding)));
    return rows.length >= claims.bounds.atATime;
  }

  private readonly isHolding = (sinceMs: number): boolean => !this.stopped && this.lock.isHeldSince(sinceMs);

  private begin(work: Promise<void>): void {
    const working = work
      .catch((error: unknown) => {
        this.log.warn(`a ${this.outbox.one} was left before its end; it is found again`, error);
      })
      .finally(() => {
        this.underWay.delete(working);
        this.wake();
      });
    this.underWay.add(working);
  }

  private async end(graceMs: number): Promise<void> {
    this.stopped = true;
    const timer = setTimeout(() => {
      this.givenUp = true;
      this.outbox.abort();
    }, graceMs);
    this.pause.end();
    await this.claiming;
    await Promise.all(this.underWay);
    clearTimeout(timer);
    // Others may have what is left.
    await this.lock.stop();
  }
}
