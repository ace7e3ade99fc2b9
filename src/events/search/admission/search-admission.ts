import { Inject, Injectable } from '@nestjs/common';

import type { Config } from '../../../config/config.js';
import { CONFIG } from '../../../config/config.js';
import { ServiceError } from '../../../errors/service-error.js';
import { FairQueue, QueueFull } from './fair-queue.js';

/**
 * light: by its plan, done within milliseconds. heavy: it may take a connection and a core for seconds. streamed: it takes
 * a connection for as long as its client reads.
 */
export type SearchWeight = 'light' | 'heavy' | 'streamed';

const RETRY_AFTER_SECONDS = '5';

/**
 * What a search must wait for. Light ones wait for nothing: however many heavy ones there are, they leave connections of
 * the pool to the others.
 */
@Injectable()
export class SearchAdmission {
  private readonly queues: Readonly<Record<Exclude<SearchWeight, 'light'>, FairQueue>>;

  constructor(@Inject(CONFIG) config: Config) {
    const mostWaiting = config.SEARCH_QUEUE_LENGTH;
    const pool = config.DATABASE_POOL_SIZE;
    this.queues = {
      heavy: new FairQueue({ atOnce: config.SEARCH_HEAVY_AT_ONCE || atLeastOne(pool / 2), mostWaiting }),
      streamed: new FairQueue({ atOnce: atLeastOne(pool / 4), mostWaiting }),
    };
  }

  /**
   * Does the work of a search when it is its turn. Throws 503 SERVICE_UNAVAILABLE when too many are waiting, and the
   * signal's reason when that aborts before.
   */
  async admit<T>(weight: SearchWeight, client: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (weight === 'light') return work();
    try {
      return await this.queues[weight].run(client, signal, work);
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error;
      throw new ServiceError('SERVICE_UNAVAILABLE', 'Too many large searches are waiting; try again later', {
        headers: { 'retry-after': RETRY_AFTER_SECONDS },
        cause: error,
      });
    }
  }
}

const atLeastOne = (count: number): number => Math.max(1, Math.floor(count));
