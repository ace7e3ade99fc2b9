import { setTimeout as sleep } from 'node:timers/promises';

import { InjectQueue } from '@nestjs/bull';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';

import { waitAtMost, withinDeadline } from '../../platform/database/connection/within-deadline.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { Pause } from '../../platform/outbox/pause.js';
import { BullConnections } from './bull-connections.js';
import { DeliveryRunner } from './delivery-runner.js';
import { Dispatcher } from './dispatcher.js';
import type { Lease } from './lanes/lanes.js';

/** The name of the queue in Redis. */
export const LANES_QUEUE = 'webhook-lanes';

/** How many leases one process takes up at a time; it is done with one when delivery on the lane has begun. */
const MOST_AT_A_TIME = 16;
/** How long Redis may take to accept a lease. */
const ADD_MS = 1_000;
/** How often to probe a Redis that failed to accept a lease. */
const PROBE_MS = 1_000;
/**
 * How long after the start Redis is asked a second time whether it accepts commands; each further wait is twice as
 * long.
 */
const FIRST_LOOK_MS = 20;
/** How often Redis is probed when no lease was given to it meanwhile: lanes may be held for a long time. */
const WATCH_MS = 5_000;
/** How often it is checked whether leases are to be taken from Redis. */
const LOOK_MS = 250;
/** How long closing the connection to Redis may take. */
const CLOSE_MS = 2_000;

const NOBODY = '00000000-0000-0000-0000-000000000000' as Uuid;
/** A lease that nobody can open: a Redis that accepts it accepts others. */
const PROBE: Lease = { subscriptionId: NOBODY, token: NOBODY, pace: 'unknown' };

/**
 * Spreads leases over all processes through Bull (P-3). Redis holds only ids, and nothing that is not in Postgres: a
 * job that is lost with it or handed out twice is a lease that expires, or that only one process can open. When Redis
 * fails to accept one, or its queue is paused, it and later ones run here until Redis has accepted a probe. Probes are
 * needed because there may be no new lease for a long time: a lane with continuous deliveries is claimed once.
 */
@Injectable()
export class BullDispatcher extends Dispatcher implements OnApplicationBootstrap {
  private readonly log = new Logger(BullDispatcher.name);
  private readonly pause = new Pause();
  private isAway = false;
  private isTaking = false;
  private isClosed = false;
  /** Whether leases in Redis are left to other processes. */
  private isLeaving = false;
  private isEnding = false;
  private turning = Promise.resolve();
  private askedMs = performance.now();
  /** Under way, and perhaps for long: a connection keeps each command until its answer comes. */
  private probe: Promise<boolean> | undefined;

  constructor(
    @InjectQueue(LANES_QUEUE) private readonly queue: Queue<Lease>,
    private readonly runner: DeliveryRunner,
    private readonly connections: BullConnections,
  ) {
    super();
    queue.on('error', (error) => {
      this.away('Redis is away', error);
    });
  }

  /** As found by the latest lease or probe, or by the connection since. */
  get state(): 'up' | 'degraded' {
    return this.isAway || !this.isTaking || this.queue.client.status !== 'ready' ? 'degraded' : 'up';
  }

  onApplicationBootstrap(): void {
    void this.take();
  }

  async dispatch(claim: Lease): Promise<void> {
    if (this.isAway || !this.isTaking || !(await this.add(claim))) await this.runner.begin(claim);
  }

  takeNoMore(): void {
    this.isEnding = true;
    this.leaveOrTake();
  }

  /**
   * Closes without waiting for jobs, since there are none left. Never fails: there is nothing in Redis that is not in
   * Postgres.
   */
  async close(): Promise<void> {
    this.isClosed = true;
    this.pause.end();
    const closed = this.turning
      .then(() => this.queue.close(true))
      .catch((error: unknown) => {
        this.log.warn('the queue could not be closed', error);
      });
    await waitAtMost(CLOSE_MS, closed);
    this.connections.end();
  }

  /**
   * Takes leases from Redis as soon as it accepts commands. If Redis refused Bull's first command, the process would
   * end: Bull drops a promise of it that nobody else can catch.
   */
  private async take(): Promise<void> {
    for (let waitMs = FIRST_LOOK_MS; !(await this.acceptsCommands()); waitMs = Math.min(2 * waitMs, PROBE_MS)) {
      await sleep(waitMs, undefined, { ref: false });
      if (this.isClosed) return;
    }
    if (this.isClosed) return;
    this.isTaking = true;
    void this.watch();
    void this.heed();
    try {
      await this.queue.process(MOST_AT_A_TIME, ({ data }) => this.runner.begin(data));
    } catch (error) {
      this.isTaking = false;
      this.log.warn('leases are no longer taken from Redis', error);
    }
  }

  /** Notices a Redis that is away although no lease is due. */
  private async watch(): Promise<void> {
    for (;;) {
      await sleep(WATCH_MS, undefined, { ref: false });
      if (this.isClosed) return;
      const isUnasked = performance.now() - this.askedMs >= WATCH_MS;
      if (isUnasked && !this.isAway) await this.add(PROBE);
    }
  }

  /** Leaves leases to others while the runner accepts none: the database is away, or there is no room. */
  private async heed(): Promise<void> {
    while (!this.isClosed) {
      this.leaveOrTake();
      await sleep(LOOK_MS, undefined, { ref: false });
    }
  }

  /**
   * Takes leases from Redis only while the runner accepts any: one that is taken and not opened is lost until its
   * handover has expired.
   */
  private leaveOrTake(): void {
    const isLeaving = this.isEnding || this.runner.takes === undefined;
    if (isLeaving === this.isLeaving || !this.isTaking || this.queue.client.status !== 'ready') return;
    this.isLeaving = isLeaving;
    // One after the other: to pause, Bull breaks the connection on which it waits for leases.
    this.turning = this.turning
      .then(() => (isLeaving ? this.queue.pause(true, true) : this.queue.resume(true)))
      .catch((error: unknown) => {
        this.away('Redis is away', error);
      });
  }

  private async acceptsCommands(): Promise<boolean> {
    try {
      return this.queue.client.status === 'ready' && (await this.queue.client.ping().then(() => true));
    } catch {
      return false;
    }
  }

  /**
   * Whether Redis has it, and hands it out. If it accepts the lease later after all, or somebody resumes the queue,
   * nobody can open it any more.
   */
  private async add(claim: Lease): Promise<boolean> {
    this.askedMs = performance.now();
    if (this.queue.client.status !== 'ready') return false;
    return this.inTime(this.asked(claim));
  }

  /** Whether Redis accepts leases again. One that hangs is asked once, however long it does. */
  private async acceptsAgain(): Promise<boolean> {
    if (this.probe === undefined && this.queue.client.status !== 'ready') return false;
    this.probe ??= this.asked(PROBE).finally(() => {
      this.probe = undefined;
    });
    return this.inTime(this.probe);
  }

  /** Resolves with whether it will be handed out, or rejects, when Redis has answered. */
  private async asked(claim: Lease): Promise<boolean> {
    // The id of a job is the token of its lease. Jobs are removed at the end; until then Redis adds no other with that
    // id, so that it holds at most one probe.
    const options = { jobId: claim.token, removeOnComplete: true, removeOnFail: true, attempts: 1 };
    const [isPaused] = await Promise.all([this.queue.isPaused(), this.queue.add(claim, options)]);
    return !isPaused;
  }

  private async inTime(asked: Promise<boolean>): Promise<boolean> {
    try {
      const isTaken = await withinDeadline(ADD_MS, 'Redis', asked);
      if (!isTaken) this.away('The queue is paused in Redis');
      return isTaken;
    } catch (error) {
      this.away('Redis takes no claims', error);
      return false;
    }
  }

  private away(how: string, error?: unknown): void {
    if (this.isAway || this.isClosed) return;
    this.isAway = true;
    this.log.warn(`${how}; deliveries are dispatched in this process`, error);
    void this.untilBack();
  }

  private async untilBack(): Promise<void> {
    do {
      await this.pause.begin(0, PROBE_MS);
      if (this.isClosed) return;
    } while (!(await this.acceptsAgain()));
    this.isAway = false;
    this.log.log('Redis is back');
  }
}
