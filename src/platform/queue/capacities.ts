import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../config/config.js';
import { MIB } from '../../kernel/domain/bytes.js';
import { type Refusal, ServiceError } from '../../kernel/errors/service-error.js';
import { type Bounds, FairQueue, turnInTime } from './fair-queue.js';

interface Capacity extends Omit<Bounds, 'atOnce'> {
  /** Places, bytes where work weighs its bytes, or a share of the database's connections. */
  readonly atOnce: number | ((connections: number) => number);
  /** How long work waits for its turn. */
  readonly waitMs: number;
  readonly refusal: Refusal;
  /** Which requests wait, as a refused caller is told. */
  readonly requests: string;
}

/** A quarter leaves the rest to everybody else, and one client never takes the last of it. */
const quarter = (connections: number): number =>
  Math.min(Math.max(1, connections - 1), Math.max(2, Math.floor(connections / 4)));

/**
 * How much of each kind of work a process does at a time. A stranger's work, which needs no token, is counted by
 * network, and never in the place of a client's.
 */
const CAPACITIES = {
  /** Users, integrations, the audit log, reindexing, and confirmations of administrators. */
  administration: {
    atOnce: quarter,
    mostWaiting: 200,
    waitMs: 10_000,
    refusal: 'administration-waiting',
    requests: 'concerning administration',
  },
  /** Bodies above 16 KiB, by their bytes, from before they are read until they are parsed. Those that wait hold none. */
  bodies: {
    atOnce: 128 * MIB,
    ofOne: 32 * MIB,
    mostWaiting: 1_000,
    waitMs: 30_000,
    refusal: 'bodies-waiting',
    requests: 'with large bodies',
  },
  /** The same, once they have come: each takes some milliseconds, and some megabytes of the heap. */
  parsing: {
    atOnce: 1,
    mostWaiting: 4_000,
    waitMs: 60_000,
    refusal: 'bodies-waiting',
    requests: 'with large bodies',
  },
  /** Addresses of files. */
  files: { atOnce: quarter, mostWaiting: 200, waitMs: 10_000, refusal: 'files-waiting', requests: 'concerning files' },
  /** Files that are being sent, each until it has been, to whoever has an address: these are strangers. */
  'files-served': {
    atOnce: 128,
    ofOne: 32,
    mostWaiting: 1_000,
    waitMs: 10_000,
    refusal: 'files-waiting',
    requests: 'concerning files',
  },
  /** Steps of lists of places, each of which takes some tenths of a millisecond. */
  places: { atOnce: 1, mostWaiting: 1_000, waitMs: 10_000, refusal: 'places-waiting', requests: 'concerning places' },
  /** For callers without a token. */
  'public-places': {
    atOnce: 1,
    mostWaiting: 1_000,
    waitMs: 10_000,
    refusal: 'places-waiting',
    requests: 'concerning places',
  },
  /** Whole events that are read outside the writer, by their bytes. */
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

/** Who wants a turn. */
interface Applicant {
  /** The `sub` of a token, or the network of a stranger: `networkOf`. */
  readonly client: string;
  /** Aborts when nobody waits for the answer any more. */
  readonly hungUp?: AbortSignal;
  /** How much of the capacity the work takes, if it is not one place. */
  readonly weight?: number;
}

/** Runs work in turns that are fair between clients, as much at a time as the table permits. */
@Injectable()
export class Capacities {
  private readonly queues = new Map<CapacityName, FairQueue>();

  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'DATABASE_POOL_SIZE'>) {}

  /**
   * Runs the work in its turn. Throws 503 SERVICE_UNAVAILABLE if there is no room for it, or it has waited too long; the
   * reason of `hungUp` if that aborts before its turn.
   */
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
