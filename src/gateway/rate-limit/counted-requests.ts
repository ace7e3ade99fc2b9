import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { networkOf } from '../../platform/queue/network-of.js';
import {
  PER_ADDRESS_AND_MINUTE,
  RequestThrottle,
  type ThrottledRoute,
  THROTTLES,
} from '../../auth/throttling/throttling-table.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { usernameKey } from '../../kernel/domain/text.js';
import { MinuteLimit } from './minute-limit.js';
import { RedisConnection } from './redis-connection.js';

/** The throttling table (U-8). */
@Injectable()
export class CountedRequests extends RequestThrottle {
  private readonly addresses: MinuteLimit;
  private readonly routes: ReadonlyMap<string, MinuteLimit>;

  constructor(
    redis: RedisConnection,
    @Inject(CONFIG) private readonly config: Pick<Config, 'LOGIN_RATE_LIMIT'>,
  ) {
    super();
    const limitOf = (name: string, perMinute: number): MinuteLimit =>
      new MinuteLimit(redis, `throttle:${name}`, perMinute, ANSWER);
    this.addresses = limitOf('address', PER_ADDRESS_AND_MINUTE);
    this.routes = new Map(Object.entries(THROTTLES).map(([route, row]) => [route, limitOf(route, row.perMinute)]));
  }

  /** The address comes first: one that is over its cap makes no more keys. */
  override async take(route: ThrottledRoute, key: string, address: string): Promise<void> {
    const network = networkOf(address);
    const { key: counted, of } = THROTTLES[route];
    // The super user's key, and a session's, are counted whatever the address.
    if (of === 'address' && this.config.LOGIN_RATE_LIMIT === 'off') return;
    if (counted !== 'session' && this.config.LOGIN_RATE_LIMIT === 'on') await this.addresses.take(network);
    const isAsWritten = counted === 'nonce' || counted === 'session';
    const subject = counted === null ? '' : digest(isAsWritten ? key : usernameKey(key));
    await this.routes.get(route)?.take(`${subject}:${of === 'everybody' ? '' : network}`);
  }
}

const ANSWER = {
  message: 'Too many requests within a minute. Try again later.',
  refusal: 'logins-throttled',
} as const;

/** Keys have a bounded length, and are nobody's name. */
const digest = (key: string): string => createHash('sha256').update(key).digest('base64url');
