import { Inject, Injectable } from '@nestjs/common';
import { FairQueue, turnInTime } from '../../platform/queue/fair-queue.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';

/** How many requests wait in a process. */
const MOST_WAITING = 200;
/** How long each waits for its turn. */
const WAIT_MS = 10_000;

/** How many callbacks are verified at a time, and how many of one client: each may take ten seconds to answer. */
const VERIFIED_AT_ONCE = 64;
const VERIFIED_OF_ONE = 8;

/** A quarter of the connections, so that the clients' own routes leave the rest to everybody else. */
const atOnceWith = (connections: number): number =>
  Math.min(Math.max(1, connections - 1), Math.max(2, Math.floor(connections / 4)));

/**
 * Turns for what clients do with their subscriptions and deliveries, before any takes a connection: one of a
 * client at a time, as those that subscribe follow each other in the database anyway.
 */
@Injectable()
export class WebhookTurns {
  private readonly turns: FairQueue;
  private readonly verifications = new FairQueue({
    atOnce: VERIFIED_AT_ONCE,
    ofOne: VERIFIED_OF_ONE,
    mostWaiting: MOST_WAITING,
  });

  constructor(@Inject(CONFIG) { DATABASE_POOL_SIZE }: Pick<Config, 'DATABASE_POOL_SIZE'>) {
    this.turns = new FairQueue({ atOnce: atOnceWith(DATABASE_POOL_SIZE), ofOne: 1, mostWaiting: MOST_WAITING });
  }

  /**
   * Runs the work. Throws 503 SERVICE_UNAVAILABLE if there is no room for it, or it has waited too long; the reason of
   * `hungUp` if that aborts before its turn.
   */
  run<T>(clientId: Uuid, hungUp: AbortSignal, work: () => Promise<T>): Promise<T> {
    return turnInTime(this.turns, clientId, { waitMs: WAIT_MS, hungUp, tooMany }, work);
  }

  /** Runs the verification of a callback (W-2), which takes a handshake and no connection to the database. */
  verify<T>(clientId: Uuid, hungUp: AbortSignal, verification: () => Promise<T>): Promise<T> {
    return turnInTime(this.verifications, clientId, { waitMs: WAIT_MS, hungUp, tooMany }, verification);
  }
}

const tooMany = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'Too many requests concerning webhooks are waiting; try again later', {
    headers: { 'retry-after': '1' },
    refusal: 'webhooks-waiting',
  });
