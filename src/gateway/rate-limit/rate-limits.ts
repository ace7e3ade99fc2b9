import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import {
  type CredentialPair,
  FailedCredentialLimit,
  PER_ADDRESS_AND_MINUTE,
  RequestThrottle,
  type ThrottledRoute,
  THROTTLES,
  WrongSoFar,
} from '../../auth/secrets/failed-credential-limit.js';
import { usernameKey } from '../../kernel/domain/text.js';
import { type Refusal, ServiceError } from '../../kernel/errors/service-error.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { networkOf } from '../../platform/queue/network-of.js';
import { ERROR_MESSAGES } from '../errors/error-answer.js';
import { RedisConnection } from './redis-connection.js';

interface Answer {
  readonly message: string;
  readonly refusal: Refusal;
}

/** The answer to one request too many. `waitMs`: the time after which the next is permitted. */
const tooManyRequests = ({ message, refusal }: Answer, waitMs: number): ServiceError =>
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

/** Counts the requests of every caller (G-8), if `RATE_LIMIT_PER_MINUTE` sets a limit. */
@Injectable()
export class ClientRateLimit {
  private readonly limit: MinuteLimit | undefined;

  constructor(
    @Inject(CONFIG) { RATE_LIMIT_PER_MINUTE: most }: Pick<Config, 'RATE_LIMIT_PER_MINUTE'>,
    redis: RedisConnection,
  ) {
    const answer = { message: ERROR_MESSAGES.TOO_MANY_REQUESTS, refusal: 'rate-limit' } as const;
    this.limit = most === 0 ? undefined : new MinuteLimit(redis, 'requests', most, answer);
  }

  /** Counts one request of `subject`. Throws 429 with `Retry-After` above the limit. */
  async take(subject: string): Promise<void> {
    await this.limit?.take(subject);
  }
}

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

const FAILURES_PER_MINUTE = 10;
/** How many attempts of a pair are checked at a time in this process. */
const AT_ONCE = 10;

/**
 * Ten failures a minute for each pair (G-8), however many attempts are checked at a time, in any number of processes:
 * an attempt that ends after the tenth failure is 429, whether its secret is right or wrong.
 */
@Injectable()
export class CountedFailedCredentials extends FailedCredentialLimit {
  private readonly failures: MinuteLimit;
  /** The number of attempts of each pair that are being checked. */
  private readonly checking = new Map<string, number>();

  constructor(redis: RedisConnection) {
    super();
    this.failures = new MinuteLimit(redis, 'failed-credentials', FAILURES_PER_MINUTE, {
      message: 'Too many attempts with wrong credentials. Try again later.',
      refusal: 'failed-credentials',
    });
  }

  override async checked<T>(pair: CredentialPair, check: () => Promise<T | undefined>): Promise<T | undefined> {
    const key = `${pair.clientIdHash}:${networkOf(pair.address)}`;
    await this.failures.requireRoom(key);
    this.begin(key);
    try {
      const found = await check();
      await (found === undefined ? this.failures.take(key) : this.failures.requireRoom(key));
      return found;
    } catch (error) {
      if (!(error instanceof WrongSoFar)) throw error;
      await this.failures.take(key);
      throw error.cause;
    } finally {
      this.end(key);
    }
  }

  private begin(key: string): void {
    const checking = this.checking.get(key) ?? 0;
    if (checking >= AT_ONCE) throw tooManyRequests(TOO_MANY_AT_ONCE, 1_000);
    this.checking.set(key, checking + 1);
  }

  private end(key: string): void {
    const others = (this.checking.get(key) ?? 1) - 1;
    if (others === 0) this.checking.delete(key);
    else this.checking.set(key, others);
  }
}

const TOO_MANY_AT_ONCE = {
  message: 'Too many attempts at once. Try again later.',
  refusal: 'credentials-waiting',
} as const;
