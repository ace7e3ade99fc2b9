import { setTimeout as sleep } from 'node:timers/promises';

import { InjectQueue } from '@nestjs/bull';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';

import { DeliveryRunner, MOST_LANES } from './delivery-runner.js';
import { Dispatcher } from './dispatcher.js';
import type { Claim } from './lanes.js';

export const LANES_QUEUE = 'webhook-lanes';

/** How long Redis may take to accept a claim. */
const ADD_MS = 1_000;
/** How long saying goodbye to Redis may take. */
const CLOSE_MS = 2_000;

/**
 * Spreads claims over all processes through Bull (P-3). Redis holds ids alone, and nothing that is not in Postgres: a job
 * that is lost with it, or handed out twice, is a claim that runs out, or that only one can open. Claims that Redis does
 * not take run here.
 */
@Injectable()
export class BullDispatcher extends Dispatcher implements OnApplicationBootstrap {
  private readonly log = new Logger(BullDispatcher.name);
  private isAway = false;

  constructor(
    @InjectQueue(LANES_QUEUE) private readonly queue: Queue<Claim>,
    private readonly runner: DeliveryRunner,
  ) {
    super();
    queue.on('error', (error) => {
      this.away('Redis is away', error);
    });
    queue.client.on('ready', () => {
      this.back();
    });
  }

  /** As the latest claim found it, or the connection since. */
  get state(): 'up' | 'degraded' {
    return this.isAway || this.queue.client.status !== 'ready' ? 'degraded' : 'up';
  }

  onApplicationBootstrap(): void {
    this.queue
      .process(MOST_LANES, ({ data }) => this.runner.run(data))
      .catch((error: unknown) => {
        this.log.warn('claims are no longer taken from Redis', error);
      });
  }

  async dispatch(claim: Claim): Promise<void> {
    if (!(await this.add(claim))) void this.runner.run(claim);
  }

  /**
   * Closing without waiting for jobs, of which there are none any more: while it waits, Bull opens a connection again that
   * nobody catches when Redis is away.
   */
  async close(): Promise<void> {
    await Promise.race([this.queue.close(true), sleep(CLOSE_MS, undefined, { ref: false })]);
    for (const client of this.queue.clients) if (client.status !== 'end') client.disconnect();
  }

  /** Whether Redis has it. Should it accept it later after all, nobody can open it any more. */
  private async add(claim: Claim): Promise<boolean> {
    if (this.queue.client.status !== 'ready') return false;
    // A job's id is its claim's token, and nothing is left of it in the end: the same id could not be added again.
    const options = { jobId: claim.token, removeOnComplete: true, removeOnFail: true, attempts: 1 };
    const late = new AbortController();
    try {
      const added = this.queue.add(claim, options).then(() => true);
      const deadline = sleep(ADD_MS, false, { signal: late.signal });
      const isAdded = await Promise.race([added, deadline]);
      added.catch(() => undefined);
      deadline.catch(() => undefined);
      if (isAdded) this.back();
      else this.away(`Redis took no claim within ${ADD_MS} ms`);
      return isAdded;
    } catch (error) {
      this.away('Redis takes no claims', error);
      return false;
    } finally {
      late.abort();
    }
  }

  private away(how: string, error?: unknown): void {
    if (!this.isAway) this.log.warn(`${how}; deliveries are dispatched in this process`, error);
    this.isAway = true;
  }

  private back(): void {
    if (this.isAway) this.log.log('Redis is back');
    this.isAway = false;
  }
}
