import type { Readable } from 'node:stream';

import { Inject, Injectable, Logger } from '@nestjs/common';

import { HungUp } from '../../../access/hang-up.js';
import type { Config } from '../../../config/config.js';
import { CONFIG } from '../../../config/config.js';
import { ServiceError } from '../../../errors/service-error.js';
import type { Write } from '../streamed-body.js';
import { streamedBody } from '../streamed-body.js';
import { FairQueue, QueueFull } from './fair-queue.js';
import { SearchDeadline } from './search-deadline.js';

/**
 * light: by its plan, done within milliseconds. heavy: it may take a connection and a core for seconds. export: it takes a
 * connection for as long as its client reads.
 */
export type SearchWeight = 'light' | 'heavy' | 'export';

/** Who waits for a search. */
export interface Waiter {
  /** `sub` of the access token: turns are taken client by client. */
  readonly client: string;
  /** Aborts when nobody waits any more. */
  readonly hungUp: AbortSignal;
}

const RETRY_AFTER_SECONDS = '5';

/**
 * Bounds what searches take (S-15): each has `SEARCH_TIMEOUT_SECONDS`, and those over many records wait for their turn.
 * Light ones wait for nothing: however many others there are, they leave connections of the pool.
 */
@Injectable()
export class SearchAdmission {
  private readonly log = new Logger(SearchAdmission.name);
  private readonly queues: Readonly<Record<Exclude<SearchWeight, 'light'>, FairQueue>>;
  private readonly seconds: number;

  constructor(@Inject(CONFIG) config: Config) {
    const mostWaiting = config.SEARCH_QUEUE_LENGTH;
    const pool = config.DATABASE_POOL_SIZE;
    this.seconds = config.SEARCH_TIMEOUT_SECONDS;
    this.queues = {
      heavy: new FairQueue({ atOnce: config.SEARCH_HEAVY_AT_ONCE || atLeastOne(pool / 2), mostWaiting }),
      export: new FairQueue({ atOnce: atLeastOne(pool / 4), mostWaiting }),
    };
  }

  /**
   * Does the work when it is its turn; `signal` aborts when its time is over or nobody waits any more. Throws 503
   * SERVICE_UNAVAILABLE when its time is over, or too many are waiting.
   */
  async run<T>(weight: SearchWeight, waiter: Waiter, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const deadline = new SearchDeadline(this.seconds, waiter.hungUp);
    try {
      return await this.inTurn(weight, waiter.client, deadline.signal, () => work(deadline.signal));
    } finally {
      deadline.end();
    }
  }

  /**
   * The same for work whose result is sent while it is made. The time does not run while the client takes what was
   * written; whatever comes next has all of it again.
   */
  stream(
    weight: SearchWeight,
    waiter: Waiter,
    work: (signal: AbortSignal, write: Write) => Promise<void>,
  ): Promise<Readable> {
    const deadline = new SearchDeadline(this.seconds, waiter.hungUp);
    return streamedBody(
      async (write) => {
        const writeOffTheClock: Write = async (text) => {
          deadline.pause();
          await write(text);
          deadline.begin();
        };
        try {
          const { signal } = deadline;
          await this.inTurn(weight, waiter.client, signal, () => work(signal, writeOffTheClock));
        } finally {
          deadline.end();
        }
      },
      (error) => {
        if (!(error instanceof HungUp)) this.log.warn('an answer was broken off', error);
      },
    );
  }

  private async inTurn<T>(
    weight: SearchWeight,
    client: string,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    if (weight === 'light') return work();
    try {
      return await this.queues[weight].run(client, signal, work);
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error;
      throw new ServiceError(
        'SERVICE_UNAVAILABLE',
        'Too many searches over many records are waiting; try again later',
        {
          headers: { 'retry-after': RETRY_AFTER_SECONDS },
          refusal: 'queue-full',
          cause: error,
        },
      );
    }
  }
}

const atLeastOne = (count: number): number => Math.max(1, Math.floor(count));
