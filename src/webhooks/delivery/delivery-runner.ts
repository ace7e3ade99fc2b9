import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { SessionLock } from '../../platform/database/connection/session-lock.js';
import { Database } from '../../platform/database/pools/database.js';
import { Refresher } from '../../platform/jobs/refresher.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { OutboundClient } from '../../platform/outbound/outbound-client.js';
import type { Pace } from '../../platform/outbox/pace.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DueDeliveries } from './due-deliveries.js';
import { BeginTurns } from './lanes/begin-turns.js';
import { LaneOffers, type Offer } from './lanes/lane-offers.js';
import { LaneRoom } from './lanes/lane-room.js';
import { LaneSession } from './lanes/lane-session.js';
import { Lanes, type Lease } from './lanes/lanes.js';
import { ReadTurns } from './lanes/read-turns.js';
import type { SessionTools } from './lanes/session-tools.js';
import { Settlements } from './settlements.js';

/** How often leases are checked, and how often lanes in progress are checked for newly due deliveries. */
const LOOK_MS = 1_000;
/** So many deliveries of a lane are not asked for again when leases are checked. */
const MOST_NAMED = 50;

/** Delivers on claimed lanes: the one runner for both dispatchers (W-8). */
@Injectable()
export class DeliveryRunner {
  private readonly log = new Logger(DeliveryRunner.name);
  private readonly sessions = new Map<LaneSession, Promise<void>>();
  private readonly bySubscription = new Map<Uuid, LaneSession>();
  private readonly room: LaneRoom;
  private readonly tools: SessionTools;
  private stopped = false;
  private looking: NodeJS.Timeout | undefined;
  /** When the latest check of the leases began. */
  private lookedMs = -Infinity;
  private readonly looks = new Refresher(() => this.lookOnce());
  /** Of sessions that failed while the database was away: released later, or lanes would wait for them to expire. */
  private unreleased: readonly Lease[] = [];
  private readonly releases = new Refresher(() => this.releaseOnce());
  private leftBehind: () => void = () => undefined;

  constructor(
    private readonly lanes: Lanes,
    private readonly settlements: Settlements,
    private readonly client: OutboundClient,
    private readonly lock: SessionLock,
    database: Database,
    due: DueDeliveries,
    offers: LaneOffers,
    metrics: DeliveryMetrics,
    @Inject(CONFIG)
    config: Pick<
      Config,
      | 'webhookLeaseSeconds'
      | 'WEBHOOK_TIMEOUT_SECONDS'
      | 'WEBHOOK_RETRY_SECONDS'
      | 'WEBHOOK_MAX_IN_FLIGHT_PER_SUBSCRIPTION'
    >,
  ) {
    this.room = new LaneRoom(config.WEBHOOK_MAX_IN_FLIGHT_PER_SUBSCRIPTION);
    this.tools = {
      lanes,
      due,
      turns: new ReadTurns(),
      beginnings: new BeginTurns(),
      settlements,
      client,
      metrics,
      scheduleSeconds: config.WEBHOOK_RETRY_SECONDS,
      leaseMs: config.webhookLeaseSeconds * 1_000,
      timeoutMs: config.WEBHOOK_TIMEOUT_SECONDS * 1_000,
      random: Math.random,
      onFault: (fault) => {
        this.log.error('an attempt failed on our side; it is noted, and made again', fault);
      },
      isHolding: (sinceMs) => lock.isHeldSince(sinceMs),
      mayLinger: () => !this.stopped && this.room.mayLinger,
      shareOf: (pace, isProved) => this.room.shareOf(pace, isProved),
    };
    // It may not have what was committed last to the one before, and waits here to be sent.
    database.primary.onNewServer(() => {
      for (const session of this.sessions.keys()) session.revoke();
    });
    offers.to({
      holds: (subscriptionId) => this.bySubscription.has(subscriptionId),
      offer: (offer) => this.offer(offer),
    });
  }

  /** The slowest lanes that it accepts at the moment; undefined if it accepts none. */
  get takes(): Pace | undefined {
    return this.stopped || !this.lock.isHeld ? undefined : this.room.takes;
  }

  /** Calls `leftBehind` when something may be due on a lane that was just released. */
  onLeftBehind(leftBehind: () => void): void {
    this.leftBehind = leftBehind;
  }

  /**
   * Takes up a lease, and delivers on its lane until nothing is due. Resolves when that begins, or when there is
   * nothing to take up. A process that stops gives it back: it may come from Redis, and its holder lives on.
   */
  async begin(claim: Lease): Promise<void> {
    if (this.stopped) return this.giveBack(claim);
    const session = new LaneSession(claim, this.tools);
    const beganMs = performance.now();
    const opened = session.open();
    const running = opened
      .then(async (isOpen) => {
        if (isOpen) await this.run(session, beganMs);
      })
      .catch((error: unknown) => {
        this.log.warn('a lane was left before its end; it is found again', error);
        this.unreleased = [...this.unreleased, ...session.leases];
      })
      .finally(() => {
        this.sessions.delete(session);
        if (this.bySubscription.get(claim.subscriptionId) === session) this.bySubscription.delete(claim.subscriptionId);
        this.room.count([...this.sessions.keys()]);
      });
    this.sessions.set(session, running);
    this.bySubscription.set(claim.subscriptionId, session);
    this.room.count([...this.sessions.keys()]);
    this.looking ??= setInterval(() => {
      void this.look();
      void this.releases.refresh();
    }, LOOK_MS);
    await opened.catch(() => undefined);
  }

  /** Something may have become due. */
  wake(): void {
    for (const session of this.sessions.keys()) session.wake();
  }

  /**
   * Checks whether leases are valid. If a subscription was ended, or its client deactivated, before the call, nothing
   * more is begun on its lane when it resolves (W-3, W-12).
   */
  look(): Promise<void> {
    return this.looks.refresh();
  }

  private offer(offer: Offer): boolean {
    return this.bySubscription.get(offer.subscriptionId)?.offer(offer) ?? false;
  }

  private async lookOnce(): Promise<void> {
    const open = [...this.sessions.keys()].filter(({ isOpen }) => isOpen);
    const atMs = performance.now();
    this.lookedMs = atMs;
    this.room.count([...this.sessions.keys()]);
    if (open.length === 0) return;
    try {
      // A lane with more than that reads in any case.
      const busy = open.flatMap(({ busyIds }) => (busyIds.size > MOST_NAMED ? [] : [...busyIds]));
      const standing = await this.lanes.standing(
        open.map(({ claim }) => claim),
        busy,
      );
      for (const session of open) {
        const isDue = standing.get(session.claim.token);
        if (isDue === undefined) session.revoke();
        else session.confirm(atMs, isDue);
      }
    } catch (error) {
      // What is not known to be valid does not begin; whoever claims lanes will report that the database is away.
      this.log.debug('leases could not be checked', error);
    }
    for (const session of this.room.crowdedOut(open)) session.finish();
  }

  private giveBack(...leases: readonly Lease[]): Promise<void> {
    this.unreleased = [...this.unreleased, ...leases];
    return this.releases.refresh();
  }

  private async releaseOnce(): Promise<void> {
    const leases = this.unreleased;
    if (leases.length === 0) return;
    try {
      await this.lanes.release(...leases);
    } catch {
      // The database is still away.
      return;
    }
    this.unreleased = this.unreleased.filter((lease) => !leases.includes(lease));
    this.leftBehind();
  }

  /** Begins nothing more, waits up to `graceMs` for what is in progress, then aborts it (P-8). */
  async stop(graceMs: number): Promise<void> {
    this.stopped = true;
    clearInterval(this.looking);
    for (const session of this.sessions.keys()) session.finish();
    const timer = setTimeout(() => {
      this.settlements.giveUp();
      void this.client.close();
    }, graceMs);
    await Promise.all(this.sessions.values());
    // What clients are asked who subscribe may still be in progress.
    clearTimeout(timer);
  }

  private async run(session: LaneSession, openedMs: number): Promise<void> {
    // A check that began meanwhile did not cover it.
    if (this.lookedMs >= openedMs) await this.look();
    if (await session.run()) this.leftBehind();
  }
}
