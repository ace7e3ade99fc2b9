import { setTimeout as sleep } from 'node:timers/promises';

import { InjectQueue } from '@nestjs/bull';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';

import type { Uuid } from '../../domain/uuid.js';
import { DeliveryRunner } from './delivery-runner.js';
import { Dispatcher } from './dispatcher.js';
import type { Lease } from './lanes/lanes.js';
import { Pause } from './pause.js';

/** The name of the queue in Redis. */
export const LANES_QUEUE = 'webhook-lanes';

/** Claims that one process takes up at a time; it is done with one when it delivers on the lane. */
const MOST_AT_A_TIME = 16;
/** How long Redis may take to accept a claim. */
const ADD_MS = 1_000;
/** How often a Redis that took no claim is asked whether it takes them again. */
const PROBE_MS = 1_000;
/** How long saying goodbye to Redis may take. */
const CLOSE_MS = 2_000;

const NOBODY = '00000000-0000-0000-0000-000000000000' as Uuid;
/** A claim that nobody can open: a Redis that takes it takes others. */
const PROBE: Lease = { subscriptionId: NOBODY, token: NOBODY, pace: 'unknown' };

/**
 * Spreads claims over all processes through Bull (P-3). Redis holds ids alone, and nothing that is not in Postgres: a job
 * that is lost with it, or handed out twice, is a claim that runs out, or that only one can open. When Redis does not take
 * one, it and those that follow run here, until Redis has taken a probe: there need be no claim for long to find that out
 * by, as a lane that is always delivered on is claimed once.
 */
@Injectable()
export class BullDispatcher extends Dispatcher implements OnApplicationBootstrap {
  private readonly log = new Logger(BullDispatcher.name);
  private readonly pause = new Pause();
  private isAway = false;
  private isClosed = false;

  constructor(
    @InjectQueue(LANES_QUEUE) private readonly queue: Queue<Lease>,
    private readonly runner: DeliveryRunner,
  ) {
    super();
    queue.on('error', (error) => {
      this.away('Redis is away', error);
    });
  }

  /** As the latest claim or probe found it, or the connection since. */
  get state(): 'up' | 'degraded' {
    return this.isAway || this.queue.client.status !== 'ready' ? 'degraded' : 'up';
  }

  onApplicationBootstrap(): void {
    this.queue
      .process(MOST_AT_A_TIME, ({ data }) => this.runner.begin(data))
      .catch((error: unknown) => {
        this.log.warn('claims are no longer taken from Redis', error);
      });
  }

  async dispatch(claim: Lease): Promise<void> {
    if (this.isAway || !(await this.add(claim))) await this.runner.begin(claim);
  }

  /**
   * Closing without waiting for jobs, of which there are none any more: while it waits, Bull opens a connection again that
   * nobody catches when Redis is away.
   */
  async close(): Promise<void> {
    this.isClosed = true;
    this.pause.end();
    await Promise.race([this.queue.close(true), sleep(CLOSE_MS, undefined, { ref: false })]);
    for (const client of this.queue.clients) if (client.status !== 'end') client.disconnect();
  }

  /** Whether Redis has it. Should it accept it later after all, nobody can open it any more. */
  private async add(claim: Lease): Promise<boolean> {
    if (this.queue.client.status !== 'ready') return false;
    // A job's id is its claim's token. Nothing is left of it in the end; until then Redis adds no other of that id, so that
    // it holds one probe at most.
    const options = { jobId: claim.token, removeOnComplete: true, removeOnFail: true, attempts: 1 };
    const late = new AbortController();
    try {
      const added = this.queue.add(claim, options).then(() => true);
      const deadline = sleep(ADD_MS, false, { signal: late.signal });
      const isAdded = await Promise.race([added, deadline]);
      added.catch(() => undefined);
      deadline.catch(() => undefined);
      if (!isAdded) this.away(`Redis took no claim within ${ADD_MS} ms`);
      return isAdded;
    } catch (error) {
      this.away('Redis takes no claims', error);
      return false;
    } finally {
      late.abort();
    }
  }

  private away(how: string, error?: unknown): void {
    if (this.isAway) return;
    this.isAway = true;
    this.log.warn(`${how}; deliveries are dispatched in this process`, error);
    void this.untilBack();
  }

  private async untilBack(): Promise<void> {
    do {
      await this.pause.begin(0, PROBE_MS);
      if (this.isClosed) return;
    } while (!(await this.add(PROBE)));
    this.isAway = false;
    this.log.log('Redis is back');
  }
}
