import type { Readable } from 'node:stream';

import { Inject, Injectable, Logger } from '@nestjs/common';

import { HungUp } from '../../../access/hang-up.js';
import { Refusals } from '../../../access/refusals.js';
import type { Config } from '../../../config/config.js';
import { CONFIG } from '../../../config/config.js';
import { ServiceError } from '../../../errors/service-error.js';
import type { Write } from '../streamed-body.js';
import { streamedBody } from '../streamed-body.js';
import { FairQueue, QueueFull } from './fair-queue.js';
import { SearchDeadline } from './search-deadline.js';
import type { Weight } from './search-weight.js';

/** What turns are taken for; an export takes a connection for as long as its client reads. */
type SearchWeight = Weight | 'export';

/** Who waits for a search. */
export interface Waiter {
  /** `sub` of the access token: turns are taken client by client. */
  readonly client: string;
  /** Aborts when nobody waits any more. */
  readonly hungUp: AbortSignal;
}

/** A search whose time runs. */
export interface Admitted {
  /** Aborts when its time is over, or nobody waits for it any more. */
  readonly signal: AbortSignal;
  /** Does work that reads records when it is its turn. Throws 503 SERVICE_UNAVAILABLE when too many are waiting. */
  readonly inTurn: <T>(weight: SearchWeight, work: () => Promise<T>) => Promise<T>;
}

const RETRY_AFTER_SECONDS = '5';

/** Light searches are done within milliseconds: so many wait no longer than a few seconds, and need little memory. */
const MOST_LIGHT_WAITING = 2_000;

/**
 * Bounds what searches take: each has `SEARCH_TIMEOUT_SECONDS`, and they are taken in turns that are fair between
 * clients, no more at a time than there are connections. Heavy ones leave at least one connection to the others.
 */
@Injectable()
export class SearchAdmission {
  private readonly log = new Logger(SearchAdmission.name);
  /** Of everything that reads on the connections of the pool, and of heavy searches among it. */
  private readonly connections: FairQueue;
  private readonly heavy: FairQueue;
  private readonly exports: FairQueue;
  private readonly seconds: number;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly refusals: Refusals,
  ) {
    const mostWaiting = config.SEARCH_QUEUE_LENGTH;
    const pool = config.DATABASE_POOL_SIZE;
    const servers = 1 + config.DATABASE_REPLICA_URLS.length;
    this.seconds = config.SEARCH_TIMEOUT_SECONDS;
    this.connections = new FairQueue({ atOnce: pool * servers, mostWaiting: MOST_LIGHT_WAITING });
    this.heavy = new FairQueue({
      atOnce: Math.min(config.SEARCH_HEAVY_AT_ONCE || Math.floor(pool / 2) + 1, pool - 1),
      mostWaiting,
    });
    this.exports = new FairQueue({ atOnce: atLeastOne(pool / 4), mostWaiting });
  }

  /**
   * Does the work of one search. Its signal aborts when its time is over or nobody waits any more; it then throws 503
   * SERVICE_UNAVAILABLE, or the reason of the latter.
   */
  async run<T>(waiter: Waiter, work: (admitted: Admitted) => Promise<T>): Promise<T> {
    const deadline = new SearchDeadline(this.seconds, waiter.hungUp);
    try {
      return await work(this.admitted(waiter.client, deadline.signal));
    } finally {
      deadline.end();
    }
  }

  /**
   * The same for work whose result is sent while it is made. The time does not run while the client takes what was
   * written; whatever comes next has all of it again.
   */
  stream(waiter: Waiter, work: (admitted: Admitted, write: Write) => Promise<void>): Promise<Readable> {
    const deadline = new SearchDeadline(this.seconds, waiter.hungUp);
    return streamedBody(
      async (write) => {
        const writeOffTheClock: Write = async (text) => {
          deadline.pause();
          await write(text);
          deadline.begin();
        };
        try {
          await work(this.admitted(waiter.client, deadline.signal), writeOffTheClock);
        } finally {
          deadline.end();
        }
      },
      (error) => {
        this.brokenOff(waiter, error);
      },
    );
  }

  private admitted(client: string, signal: AbortSignal): Admitted {
    return {
      signal,
      inTurn: async (weight, work) => {
        try {
          return await this.inTurn(weight, client, signal, work);
        } catch (error) {
          throw error instanceof QueueFull ? tooMany(weight, error) : error;
        }
      },
    };
  }

  private inTurn<T>(weight: SearchWeight, client: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (weight === 'export') return this.exports.run(client, signal, work);
    const onAConnection = (): Promise<T> => this.connections.run(client, signal, work);
    return weight === 'light' ? onAConnection() : this.heavy.run(client, signal, onAConnection);
  }

  /** Who was cut off has no answer to be told by. */
  private brokenOff({ client }: Waiter, error: unknown): void {
    if (error instanceof HungUp) return;
    if (error instanceof ServiceError && error.refusal !== undefined) this.refusals.note(error.refusal, client);
    this.log.warn('an answer was broken off', error);
  }
}

const tooMany = (weight: SearchWeight, cause: QueueFull): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    `Too many ${weight === 'light' ? 'searches' : 'searches over many records'} are waiting; try again later`,
    { headers: { 'retry-after': RETRY_AFTER_SECONDS }, refusal: 'queue-full', cause },
  );

const atLeastOne = (count: number): number => Math.max(1, Math.floor(count));
