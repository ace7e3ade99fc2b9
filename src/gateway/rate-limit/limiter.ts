import type { Redis } from 'ioredis';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

interface Limit {
  /** Distinguishes the counters of different limits. */
  readonly name: string;
  readonly perMinute: number;
}

/** Counts in Redis, for all processes, if there is one; in memory without it, and while it does not answer (G-8). */
export const createLimiter = ({ name, perMinute }: Limit, redis: Redis | undefined): RateLimiterAbstract => {
  const options = { keyPrefix: `matricula:${name}`, points: perMinute, duration: 60 };
  const inMemory = new RateLimiterMemory(options);
  if (redis === undefined) return inMemory;
  return new RateLimiterRedis({
    ...options,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    insuranceLimiter: inMemory,
  });
};

/** Counts one more; resolves with how long the key must wait if that was too many. */
export async function consume(limiter: RateLimiterAbstract, key: string): Promise<number | undefined> {
  try {
    await limiter.consume(key);
    return undefined;
  } catch (outcome) {
    if (outcome instanceof RateLimiterRes) return waitOf(outcome);
    throw outcome;
  }
}

/** Whole seconds until the key may continue, at least one. */
const waitOf = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1_000));
