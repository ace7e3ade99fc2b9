import type { Readable } from 'node:stream';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Query } from '../../kernel/domain/search-request.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ExportDatabase } from '../../platform/database/pools/pools.js';
import { FairQueue, QueueFull } from '../../platform/queue/fair-queue.js';
import { HungUp } from '../../platform/queue/hang-up.js';
import { Refusals } from '../../platform/queue/refusals.js';
import { streamedBody, tooSlowReader, type Write } from './answer/streamed-body.js';
import { costOf } from './plan/cost.js';
import type { SearchPlan } from './plan/plan.js';

/** light: takes milliseconds. heavy: may take a connection and a core for seconds. */
export type Weight = 'light' | 'heavy';

/** In the unit of `costOf`, some tenth of a millisecond. */
const MOST_LIGHT = 300;

/** How many equal one unit: rechecking a document takes tens of microseconds, sorting a match a few. */
const DOCUMENTS = 10;
const MATCHES = 200;

/** The cost of compiling and sending a query, whatever is stored. */
export const widthOf = (query: Query): number => costOf(query).total;

/** A query that is not light waits for its turn before it is planned. */
export const weightOfWidth = (width: number): Weight => (width > MOST_LIGHT ? 'heavy' : 'light');

type Expected = Omit<SearchPlan, 'search' | 'cardinalities'>;

/** */
export const weightOf = (width: number, plan: Expected): Weight => weightOfAll(width, [plan]);

/** For searches that run one after another in one turn; `width` is their sum. */
export function weightOfAll(width: number, plans: readonly Expected[]): Weight {
  const work = plans.reduce((sum, { kind, matches, documents }) => {
    const ordered = kind === 'two-phase' ? 0 : matches;
    return sum + documents / DOCUMENTS + ordered / MATCHES;
  }, width);
  return plans.some(({ sortsMany }) => sortsMany) ? 'heavy' : weightOfWidth(work);
}

/** An immediate retry would time out again. */
const RETRY_LATER_SECONDS = '10';

/** `signal` aborts with 503 SERVICE_UNAVAILABLE on timeout, or with the client's reason. */
export class SearchDeadline {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private readonly hangUp = (): void => {
    this.abort(this.hungUp.reason);
  };

  constructor(
    seconds: number,
    private readonly hungUp: AbortSignal,
  ) {
    hungUp.addEventListener('abort', this.hangUp, { once: true });
    if (hungUp.aborted) this.hangUp();
    else this.begin(seconds);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** With a new time. */
  begin(seconds: number, whenOver = () => tookTooLong(seconds)): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.abort(whenOver());
    }, 1_000 * seconds);
  }

  abort(reason: unknown): void {
    clearTimeout(this.timer);
    this.controller.abort(reason);
  }

  end(): void {
    clearTimeout(this.timer);
    this.hungUp.removeEventListener('abort', this.hangUp);
  }
}

const tookTooLong = (seconds: number): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    `The search was not done within ${seconds} s, and was given up; a narrower one may be answered`,
    { headers: { 'retry-after': RETRY_LATER_SECONDS }, refusal: 'search-timeout' },
  );

/** An export holds a connection while its client reads. */
type SearchWeight = Weight | 'export';

export interface Waiter {
  /** `sub` of the access token. */
  readonly client: string;
  readonly hungUp: AbortSignal;
}

export interface Admitted {
  /** Aborts on timeout, or when the client hangs up. */
  readonly signal: AbortSignal;
  /** Throws 503 SERVICE_UNAVAILABLE when the queue is full or the wait exceeds half of a search's time. */
  readonly inTurn: <T>(weight: SearchWeight, work: () => Promise<T>) => Promise<T>;
}

const RETRY_AFTER_SECONDS = '5';

/** As a share of the search's time. */
const WAIT = 0.5;

/** This many light searches finish within a few seconds. */
const MOST_LIGHT_WAITING = 2_000;

/**
 * Bounds searches by `SEARCH_TIMEOUT_SECONDS` and fair turns. Heavy searches leave a connection to others.
 */
@Injectable()
export class SearchAdmission {
  private readonly log = new Logger(SearchAdmission.name);
  /** Nested: all reads on the pool, and heavy ones. */
  private readonly connections: FairQueue;
  private readonly heavy: FairQueue;
  private readonly exports: FairQueue;
  private readonly seconds: number;
  private readonly exportSeconds: number;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly refusals: Refusals,
    @Inject(ExportDatabase) exports: Pick<ExportDatabase, 'size'>,
  ) {
    const mostWaiting = config.SEARCH_QUEUE_LENGTH;
    const pool = config.DATABASE_POOL_SIZE;
    const servers = 1 + config.DATABASE_REPLICA_URLS.length;
    this.seconds = config.SEARCH_TIMEOUT_SECONDS;
    this.exportSeconds = config.EXPORT_MAX_SECONDS;
    this.connections = new FairQueue({ atOnce: pool * servers, mostWaiting: MOST_LIGHT_WAITING });
    const heavyAtOnce = Math.min(config.SEARCH_HEAVY_AT_ONCE || Math.floor(pool / 2) + 1, pool - 1);
    this.heavy = new FairQueue({ atOnce: heavyAtOnce, mostWaiting });
    this.exports = new FairQueue({ atOnce: exports.size, mostWaiting });
  }

  /** Throws 503 SERVICE_UNAVAILABLE on timeout, or the reason of the waiter's signal. */
  async run<T>(waiter: Waiter, work: (admitted: Admitted) => Promise<T>): Promise<T> {
    const deadline = new SearchDeadline(this.seconds, waiter.hungUp);
    try {
      return await work(this.admitted(waiter.client, deadline));
    } finally {
      deadline.end();
    }
  }

  /** `run` for a streamed page. From its first part on, its client has as much time again to take it. */
  page(waiter: Waiter, work: (admitted: Admitted, write: Write) => Promise<void>): Promise<Readable> {
    let isBegun = false;
    return this.stream(waiter, work, (deadline, write) => (text) => {
      if (!isBegun) deadline.begin(this.seconds, () => tooSlowReader(`not all of a page within ${this.seconds} s`));
      isBegun = true;
      return write(text);
    });
  }

  /** At the reader's pace, for at most `EXPORT_MAX_SECONDS`. Each part has the time of a search. */
  export(waiter: Waiter, work: (admitted: Admitted, write: Write) => Promise<void>): Promise<Readable> {
    const endMs = performance.now() + 1_000 * this.exportSeconds;
    return this.stream(waiter, work, (deadline, write) => async (text) => {
      deadline.begin((endMs - performance.now()) / 1_000, () => exportTooLong(this.exportSeconds));
      await write(text);
      deadline.begin(this.seconds);
    });
  }

  private stream(
    waiter: Waiter,
    work: (admitted: Admitted, write: Write) => Promise<void>,
    timed: (deadline: SearchDeadline, write: Write) => Write,
  ): Promise<Readable> {
    const deadline = new SearchDeadline(this.seconds, waiter.hungUp);
    return streamedBody({
      signal: deadline.signal,
      produce: async (write) => {
        try {
          await work(this.admitted(waiter.client, deadline), timed(deadline, write));
        } finally {
          deadline.end();
        }
      },
      onBroken: (error) => {
        this.brokenOff(waiter, error);
      },
    });
  }

  private admitted(client: string, deadline: SearchDeadline): Admitted {
    const { signal } = deadline;
    return {
      signal,
      inTurn: async (weight, work) => {
        // Most look-ups begin at once.
        if (weight === 'light' && this.connections.hasPlaceFor(client)) {
          return this.connections.run(client, signal, work);
        }
        const late = setTimeout(
          () => {
            deadline.abort(waitedTooLong(WAIT * this.seconds));
          },
          1_000 * WAIT * this.seconds,
        );
        try {
          return await this.inTurn(weight, client, signal, () => {
            clearTimeout(late);
            return work();
          });
        } catch (error) {
          throw error instanceof QueueFull ? tooMany(weight, error) : error;
        } finally {
          clearTimeout(late);
        }
      },
    };
  }

  private inTurn<T>(weight: SearchWeight, client: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (weight === 'export') return this.exports.run(client, signal, work);
    const onAConnection = (): Promise<T> => this.connections.run(client, signal, work);
    return weight === 'light' ? onAConnection() : this.heavy.run(client, signal, onAConnection);
  }

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

const waitedTooLong = (seconds: number): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    `The search waited ${seconds} s for its turn, and was given up before it began; try again later`,
    { headers: { 'retry-after': RETRY_AFTER_SECONDS }, refusal: 'no-turn' },
  );

const exportTooLong = (seconds: number): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', `The stream lasted longer than ${seconds} s, and was broken off`, {
    refusal: 'export-time',
  });
