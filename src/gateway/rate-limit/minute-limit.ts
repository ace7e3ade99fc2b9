import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { type Refusal, ServiceError } from '../../kernel/errors/service-error.js';
import type { RedisConnection } from './redis-connection.js';

interface Answer {
  readonly message: string;
  readonly refusal: Refusal;
}

/** The answer to one request too many. `waitMs`: the time after which the next is permitted. */
export const tooManyRequests = ({ message, refusal }: Answer, waitMs: number): ServiceError =>
  new ServiceError('TOO_MANY_REQUESTS', message, {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))) },
    refusal,
  });

/**
 * A number of requests that each key has in a minute (G-8), counted in Redis for all processes; in this process without
 * one, and while it does not answer.
 */
export class MinuteLimit {
  private readonly limiter: RateLimiterAbstract;

  constructor(
    { client }: RedisConnection,
    name: string,
    most: number,
    private readonly answer: Answer,
  ) {
    const options = { keyPrefix: `matricula:${name}`, points: most, duration: 60 };
    const insuranceLimiter = new RateLimiterMemory(options);
    this.limiter =
      client === undefined
        ? insuranceLimiter
        : new RateLimiterRedis({ ...options, storeClient: client, rejectIfRedisNotReady: true, insuranceLimiter });
  }

  /** Counts one request of `key`. Throws 429 with `Retry-After` for one too many. */
  async take(key: string): Promise<void> {
    try {
      await this.limiter.consume(key);
    } catch (outcome) {
      throw outcome instanceof RateLimiterRes ? tooManyRequests(this.answer, outcome.msBeforeNext) : outcome;
    }
  }

  /** Throws 429 with `Retry-After` for a key without requests left, and counts nothing. */
  async requireRoom(key: string): Promise<void> {
    const found = await this.limiter.get(key);
    if (found?.remainingPoints === 0) throw tooManyRequests(this.answer, found.msBeforeNext);
  }
}
