import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../config/config.js';
import { MIB } from '../../kernel/domain/bytes.js';
import type { Refusal } from '../../kernel/errors/refusal.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { type Bounds, FairQueue, turnInTime } from './fair-queue.js';

interface Capacity extends Omit<Bounds, 'atOnce'> {
  /** Places, bytes for weighted work, or a share of the database's connections. */
  readonly atOnce: number | ((connections: number) => number);
  readonly waitMs: number;
  readonly refusal: Refusal;
  readonly requests: string;
}

/** Three quarters remain for others, and one client never takes the last place. */
const quarter = (connections: number): number =>
  Math.min(Math.max(1, connections - 1), Math.max(2, Math.floor(connections / 4)));

/**
 * Concurrent work by kind in a process. Work without a token is counted by network, never in a client's place.
 */
const CAPACITIES = {
  /** Users, integrations, the audit log, reindexing, and administrators' confirmations. */
  administration: {
    atOnce: quarter,
    mostWaiting: 200,
    waitMs: 10_000,
    refusal: 'administration-waiting',
    requests: 'concerning administration',
  },
  files: { atOnce: quarter, mostWaiting: 200, waitMs: 10_000, refusal: 'files-waiting', requests: 'concerning files' },
  /** Steps of place lists, some tenths of a millisecond each. */
  places: { atOnce: 1, mostWaiting: 1_000, waitMs: 10_000, refusal: 'places-waiting', requests: 'concerning places' },
  /** As `places`, without a token. */
  'public-places': {
    atOnce: 1,
    mostWaiting: 1_000,
    waitMs: 10_000,
    refusal: 'places-waiting',
    requests: 'concerning places',
  },
  /** Whole events read outside the writer, weighed by bytes. */
  records: {
    atOnce: 64 * MIB,
    ofOne: 32 * MIB,
    mostWaiting: 200,
    waitMs: 10_000,
    refusal: 'records-waiting',
    requests: 'concerning large records',
  },
} as const satisfies Readonly<Record<string, Capacity>>;

export type CapacityName = keyof typeof CAPACITIES;

interface Applicant {
  /** The `sub` of a token, or `networkOf` the address. */
  readonly client: string;
  /** Aborts when the client has left. */
  readonly hungUp?: AbortSignal;
  readonly weight?: number;
}

@Injectable()
export class Capacities {
  private readonly queues = new Map<CapacityName, FairQueue>();

  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'DATABASE_POOL_SIZE'>) {}

  /** Throws 503 SERVICE_UNAVAILABLE without room or after too long a wait, and the reason of `hungUp`. */
  run<T>(name: CapacityName, applicant: Applicant, work: () => Promise<T>): Promise<T> {
    const { client, ...patience } = applicant;
    const { waitMs } = CAPACITIES[name];
    return turnInTime(this.queueOf(name), client, { ...patience, waitMs, tooMany: () => tooMany(name) }, work);
  }

  private queueOf(name: CapacityName): FairQueue {
    const known = this.queues.get(name);
    if (known !== undefined) return known;
    const { atOnce, ...bounds }: Capacity = CAPACITIES[name];
    const queue = new FairQueue({
      ...bounds,
      atOnce: typeof atOnce === 'number' ? atOnce : atOnce(this.config.DATABASE_POOL_SIZE),
    });
    this.queues.set(name, queue);
    return queue;
  }
}

function tooMany(name: CapacityName): ServiceError {
  const { refusal, requests } = CAPACITIES[name];
  return new ServiceError('SERVICE_UNAVAILABLE', `Too many requests ${requests} are waiting; try again later`, {
    headers: { 'retry-after': '1' },
    refusal,
  });
}
