import { availableParallelism } from 'node:os';
import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../config/config.js';
import { MIB } from '../../kernel/domain/bytes.js';
import { type Refusal, ServiceError } from '../../kernel/errors/service-error.js';
import { LOOK_UPS_AT_ONCE, SPENT_AT_ONCE } from '../database/pools/pools.js';
import { BodyPlaces, type Sender } from './body-places.js';
import { FairQueue, type Patience, turnInTime } from './fair-queue.js';

/** Places, bytes where work weighs its bytes, or a share of the database's connections. */
type AtOnce = number | ((connections: number) => number);

type Capacity = readonly [
  atOnce: AtOnce,
  /** One client never takes the last place, unless there is only one. */
  ofOne: number,
  mostWaiting: number,
  waitSeconds: number,
  refusal: Refusal,
  /** Too many what, as a refused caller is told. */
  tooMany: string,
  retryAfterSeconds?: number,
];

/** A quarter leaves the rest to everybody else, and one client never takes the last of it. */
const quarter = (connections: number): number =>
  Math.min(Math.max(1, connections - 1), Math.max(2, Math.floor(connections / 4)));

/**
 * 19 MiB each: half the processors, and at most half of libuv's four threads, which files, DNS and signatures share.
 */
export const hashesAtOnceOn = (processors: number): number => Math.max(1, Math.min(2, Math.floor(processors / 2)));

const ALL = Infinity;
const CREDENTIALS = 'credentials are waiting to be checked';
const FILES = 'requests concerning files are waiting';
const LARGE_BODIES = 'requests with large bodies are waiting';
const PASSWORDS = 'passwords are waiting to be checked';
const PLACES = 'requests concerning places are waiting';
const WEBHOOKS = 'requests concerning webhooks are waiting';

/**
 * How much of each kind of work a process does at a time. A stranger's work, which needs no token, is counted by
 * network, and never in the place of a client's. Searches have their own turns: `SearchAdmission`.
 */
const CAPACITIES = {
  /** Users, integrations, the audit log, reindexing, and confirmations of administrators. */
  administration: [quarter, ALL, 200, 10, 'administration-waiting', 'requests concerning administration are waiting'],
  /** Whole answers, by their bytes, until their client has taken them. */
  answers: [256 * MIB, 128 * MIB, 0, 0, 'answers-held', 'answers wait for their clients to take them'],
  /** Bodies above 16 KiB, by their bytes, from before they are read until they are parsed. Those that wait hold none. */
  bodies: [128 * MIB, 32 * MIB, 1_000, 30, 'bodies-waiting', LARGE_BODIES],
  /** The same, once they have come: each takes some milliseconds, and some megabytes of the heap. */
  parsing: [1, ALL, 4_000, 60, 'bodies-waiting', LARGE_BODIES],
  /** Verifications of callbacks (W-2): each may take ten seconds to answer, and no connection to the database. */
  callbacks: [64, 8, 200, 10, 'webhooks-waiting', WEBHOOKS],
  /** Anybody can cause look-ups, so they are counted by network. */
  'client-look-ups': [LOOK_UPS_AT_ONCE, ALL, 1_000, 5, 'credentials-waiting', CREDENTIALS],
  'spent-assertions': [SPENT_AT_ONCE, ALL, 1_000, 5, 'credentials-waiting', CREDENTIALS],
  files: [quarter, ALL, 200, 10, 'files-waiting', FILES],
  /** Files that are being sent, each until it has been, to whoever has an address: these are strangers. */
  'files-served': [128, 32, 1_000, 10, 'files-waiting', FILES],
  /** Over HTTP: each holds some megabytes of its body. */
  imports: [8, ALL, 8, 10, 'imports-full', 'imports are under way', 10],
  /** A hash takes 10 to 50 ms: more would time out. */
  passwords: [hashesAtOnceOn(availableParallelism()), ALL, 200, 5, 'passwords-waiting', PASSWORDS],
  /** Passwords from addresses without a recent login, before their common turn of `passwords`. */
  'passwords-of-strangers': [1, ALL, 200, 5, 'passwords-waiting', PASSWORDS],
  /** Steps of lists of places, each of which takes some tenths of a millisecond. */
  places: [1, ALL, 1_000, 10, 'places-waiting', PLACES],
  /** For callers without a token. */
  'public-places': [1, ALL, 1_000, 10, 'places-waiting', PLACES],
  /** The lock of their table serializes them anyway: those that wait must hold no connections. */
  'place-changes': [1, ALL, 200, 10, 'places-waiting', PLACES],
  /** Whole events that are read outside the writer, by their bytes. */
  records: [64 * MIB, 32 * MIB, 200, 10, 'records-waiting', 'requests concerning large records are waiting'],
  /** Attachments: with S3, each holds up to ten megabytes. */
  uploads: [24, 4, 200, 10, 'uploads-full', 'uploads are under way', 10],
  /** Subscriptions and deliveries of clients: those of one that subscribe follow each other in the database anyway. */
  webhooks: [quarter, 1, 200, 10, 'webhooks-waiting', WEBHOOKS],
} as const satisfies Readonly<Record<string, Capacity>>;

export type CapacityName = keyof typeof CAPACITIES;

interface Applicant {
  /** The `sub` of a token, or the network of a stranger: `networkOf`. */
  readonly client: string;
  /** Aborts when nobody waits for the answer any more. */
  readonly hungUp?: AbortSignal;
  /** How much of the capacity the work takes, if it is not one place. */
  readonly weight?: number;
}

const NEVER = new AbortController().signal;

/** Runs work in turns that are fair between clients, as much at a time as the table permits. */
@Injectable()
export class Capacities {
  private readonly queues = new Map<CapacityName, FairQueue>();
  private readonly places = new Map<CapacityName, BodyPlaces>();

  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'DATABASE_POOL_SIZE'>) {}

  /** Throws 503 without room, or after too long a wait; the reason of `hungUp` if that aborts before its turn. */
  run<T>(name: CapacityName, applicant: Applicant, work: () => Promise<T>): Promise<T> {
    const { client, ...patience } = applicant;
    return turnInTime(this.queueOf(name), client, { ...patience, ...patienceOf(name) }, work);
  }

  /** `run` for work that reads a body, which stays unread while it waits. Slow senders then give way. */
  receive<T>(name: 'imports' | 'uploads', sender: Sender, work: () => Promise<T>): Promise<T> {
    // Nothing more of a refused body is read.
    const known =
      this.places.get(name) ?? new BodyPlaces(this.queueOf(name), patienceOf(name, { connection: 'close' }));
    this.places.set(name, known);
    return known.run(sender, work);
  }

  /** Takes the room until the promise resolves. Throws 503 SERVICE_UNAVAILABLE where there is none at once. */
  hold(name: CapacityName, client: string, weight: number, until: Promise<void>): void {
    const queue = this.queueOf(name);
    if (!queue.hasPlaceFor(client, weight)) throw patienceOf(name).tooMany();
    void queue.run(client, NEVER, () => until, weight);
  }

  private queueOf(name: CapacityName): FairQueue {
    const known = this.queues.get(name);
    if (known !== undefined) return known;
    const [given, ofOne, mostWaiting]: Capacity = CAPACITIES[name];
    const atOnce = typeof given === 'number' ? given : given(this.config.DATABASE_POOL_SIZE);
    const queue = new FairQueue({ atOnce, ofOne, mostWaiting });
    this.queues.set(name, queue);
    return queue;
  }
}

function patienceOf(name: CapacityName, headers: Readonly<Record<string, string>> = {}): Patience {
  const [, , , waitSeconds, refusal, what, retryAfterSeconds = 1]: Capacity = CAPACITIES[name];
  return {
    waitMs: 1_000 * waitSeconds,
    tooMany: () =>
      new ServiceError('SERVICE_UNAVAILABLE', `Too many ${what}; try again later`, {
        headers: { 'retry-after': String(retryAfterSeconds), ...headers },
        refusal,
      }),
  };
}
