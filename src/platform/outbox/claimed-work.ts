import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { ChangeFeed } from '../database/connection/change-feed.js';
import type { SessionLock } from '../database/connection/session-lock.js';
import { type ClaimedOutbox, ClaimLoop } from './claim-loop.js';
import { Paces } from './paces.js';
import type { RowClaims } from './row-claims.js';

/** How long until it is tried again to record an outcome. */
const RETRY_MS = 250;
/** What is due later than this is found by looking for it. */
const SOON_MS = 1_000;

/** An outbox from which this process claims, and what it does with each row that it has claimed. */
interface Claimed<Kind, Row> extends Pick<ClaimedOutbox, 'what' | 'channel'> {
  /** For the log: `confirmation`. */
  readonly one: string;
  readonly claims: RowClaims<Kind, Row>;
  /** What tells kinds apart. */
  readonly nameOf: (kind: Kind) => string;
  /**
   * `isWanted`: whether it may still be posted. Not once the process stops, nor where others may have claimed it: the
   * lock was lost since the claim (W-16), or the process has hung (W-8).
   */
  readonly work: (row: Row, isWanted: () => boolean) => Promise<void>;
  /** Ends the exchanges that are in progress. */
  readonly close: () => Promise<void>;
}

/**
 * Claims from an outbox, and what a process does with what it has claimed one by one: tried, recorded until it is
 * recorded, and ended in order (P-8).
 */
export class ClaimedWork<Kind, Row> {
  /** How soon this process is answered, kind by kind: `work` is to make each exchange `during` it. */
  readonly paces: Paces<Kind>;
  private readonly log = new Logger(ClaimedWork.name);
  private readonly underWay = new Set<Promise<void>>();
  private stopped = false;
  private givenUp = false;
  private stopping: Promise<void> | undefined;
  private readonly loop: ClaimLoop;

  constructor(
    private readonly claimed: Claimed<Kind, Row>,
    private readonly lock: SessionLock,
    feed: ChangeFeed,
  ) {
    const { what, channel, claims, nameOf } = claimed;
    this.paces = new Paces(nameOf);
    const free = (alone: boolean): Promise<void> => claims.freeOfTheDead(alone);
    this.loop = new ClaimLoop({ what, channel, claim: () => this.claim(), free }, lock, feed);
  }

  /** Whether what is due is being claimed. */
  get isClaiming(): boolean {
    return this.loop.isClaiming;
  }

  /** Begins to claim. */
  start(): void {
    this.loop.start();
  }

  /** Wakes the loop for what is due so soon that it would be found late. */
  wakeAfter(waitMs: number): void {
    if (waitMs >= SOON_MS) return;
    setTimeout(() => {
      this.loop.wake();
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
        if (!failing) this.log.error(`what came of a ${this.claimed.one} cannot be recorded; trying again`, error);
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

  /** Never waits for what is in progress: each that ends wakes the loop. */
  private async claim(): Promise<boolean> {
    const { claims, work } = this.claimed;
    const sinceMs = performance.now();
    const isWanted = (): boolean => !this.stopped && this.lock.isHeldSince(sinceMs) && claims.isFresh(sinceMs);
    const rows = await claims.claim((kind) => this.paces.of(kind));
    for (const row of rows) this.begin(work(row, isWanted));
    return false;
  }

  private begin(work: Promise<void>): void {
    const working = work
      .catch((error: unknown) => {
        this.log.warn(`a ${this.claimed.one} was left before its end; it is found again`, error);
      })
      .finally(() => {
        this.underWay.delete(working);
        this.loop.wake();
      });
    this.underWay.add(working);
  }

  private async end(graceMs: number): Promise<void> {
    this.stopped = true;
    await this.loop.stop();
    const timer = setTimeout(() => {
      this.givenUp = true;
      void this.claimed.close();
    }, graceMs);
    await Promise.all(this.underWay);
    clearTimeout(timer);
    await this.claimed.close();
    await this.loop.letGo();
  }
}
