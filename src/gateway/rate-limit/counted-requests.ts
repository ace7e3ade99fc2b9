import { createHash } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';

import { networkOf } from '../../access/network-of.js';
import { RequestThrottle } from '../../auth/throttling/request-throttle.js';
import type { ThrottledRoute } from '../../auth/throttling/throttling-table.js';
import { PER_ADDRESS_AND_MINUTE, THROTTLES } from '../../auth/throttling/throttling-table.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.js';
import { usernameKey } from '../../domain/username-key.js';
import { ServiceError } from '../../errors/service-error.js';
import { WINDOW_MS } from './attempts.js';
import { MemoryCounts } from './memory-counts.js';
import { RedisConnection } from './redis-connection.js';

/** KEYS: the count. ARGV: most, window in ms. Yields how many milliseconds the key must wait, or 0. */
const ADD = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
if count > tonumber(ARGV[1]) then return math.max(1, redis.call('PTTL', KEYS[1])) end
return 0`;

/**
 * The throttling table, counted in Redis for all processes; in this process without one, and while it is away (G-8).
 */
@Injectable()
export class CountedRequests extends RequestThrottle {
  private readonly own = new MemoryCounts();
  private readonly redis: Redis | undefined;

  constructor(
    { client }: RedisConnection,
    @Inject(CONFIG) private readonly config: Pick<Config, 'LOGIN_RATE_LIMIT'>,
  ) {
    super();
    this.redis = client;
  }

  /** The address comes first: one that is over its cap makes no more keys. */
  override async take(route: ThrottledRoute, key: string, address: string): Promise<void> {
    const network = networkOf(address);
    const { key: counted, of, perMinute } = THROTTLES[route];
    // The super user's key, and a session's, are counted whatever the address.
    if (of === 'address' && this.config.LOGIN_RATE_LIMIT === 'off') return;
    if (counted !== 'session' && this.config.LOGIN_RATE_LIMIT === 'on')
      await this.count(`address:${network}`, PER_ADDRESS_AND_MINUTE);
    const isAsWritten = counted === 'nonce' || counted === 'session';
    const subject = counted === null ? '' : digest(isAsWritten ? key : usernameKey(key));
    await this.count(`${route}:${subject}:${of === 'everybody' ? '' : network}`, perMinute);
  }

  private async count(key: string, most: number): Promise<void> {
    const waitMs = await this.waitOf(key, most);
    if (waitMs === undefined) return;
    throw new ServiceError('TOO_MANY_REQUESTS', 'Too many requests within a minute. Try again later.', {
      headers: { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))) },
      refusal: 'logins-throttled',
    });
  }

  private async waitOf(key: string, most: number): Promise<number | undefined> {
    if (this.redis?.status !== 'ready') return this.own.add(key, most);
    try {
      const waitMs = Number(await this.redis.eval(ADD, 1, `matricula:throttle:${key}`, most, WINDOW_MS));
      return waitMs === 0 ? undefined : waitMs;
    } catch {
      return this.own.add(key, most);
    }
  }
}

/** Of bounded length, and nobody's name. */
const digest = (key: string): string => createHash('sha256').update(key).digest('base64url');
