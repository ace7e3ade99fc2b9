import { Injectable } from '@nestjs/common';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';

import type { CredentialPair } from '../../auth/failed-credential-limit.js';
import { FailedCredentialLimit } from '../../auth/failed-credential-limit.js';
import { consume, createLimiter, waitOf } from './limiter.js';
import { RedisConnection } from './redis-connection.js';

/** How often a minute a client id and an address may fail together (G-8). */
const FAILURES_PER_MINUTE = 10;

/** The counters behind `FailedCredentialLimit`. */
@Injectable()
export class CountedFailedCredentials extends FailedCredentialLimit {
  private readonly limiter: RateLimiterAbstract;

  constructor(redis: RedisConnection) {
    super();
    this.limiter = createLimiter({ name: 'failed-credentials', perMinute: FAILURES_PER_MINUTE }, redis.client);
  }

  override async isBlocked(pair: CredentialPair): Promise<{ readonly retryAfterSeconds: number } | undefined> {
    const counted = await this.limiter.get(keyOf(pair));
    if (counted === null || counted.consumedPoints < FAILURES_PER_MINUTE) return undefined;
    return { retryAfterSeconds: waitOf(counted) };
  }

  override async countFailure(pair: CredentialPair): Promise<void> {
    await consume(this.limiter, keyOf(pair));
  }
}

const keyOf = ({ clientIdHash, address }: CredentialPair): string => `${clientIdHash}:${address}`;
