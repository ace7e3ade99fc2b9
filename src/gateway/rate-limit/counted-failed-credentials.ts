import { Injectable } from '@nestjs/common';
import { networkOf } from '../../platform/queue/network-of.js';
import {
  type CredentialPair,
  FailedCredentialLimit,
  WrongSoFar,
} from '../../auth/throttling/failed-credential-limit.js';
import { MinuteLimit, tooManyRequests } from './minute-limit.js';
import { RedisConnection } from './redis-connection.js';

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
