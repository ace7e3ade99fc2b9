import { setTimeout as sleep } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import type { CredentialPair } from '../../auth/failed-credential-limit.js';
import { FailedCredentialLimit, WrongSoFar } from '../../auth/failed-credential-limit.js';
import { networkOf } from '../../access/network-of.js';
import type { Refusal } from '../../errors/refusal.js';
import { ServiceError } from '../../errors/service-error.js';
import type { AttemptAnswer, Attempts } from './attempts.js';
import { FAILURES_PER_MINUTE } from './attempts.js';
import { MemoryAttempts } from './memory-attempts.js';
import { RedisAttempts } from './redis-attempts.js';
import { RedisConnection } from './redis-connection.js';
import { TurnsByKey } from './turns-by-key.js';

/** The interval for asking again whether a check may begin: those in its way take a millisecond or two. */
const AGAIN_MS = 10;
const MOST_WAIT_MS = 10_000;
const WAITING = { mostWaiting: 1_000, mostWaitingInAll: 10_000, mostWaitMs: MOST_WAIT_MS };

/**
 * Ten failures a minute for each pair (G-8), however many attempts come at once: no more attempts of a pair are checked
 * at a time than it has failures left, and the others wait.
 */
@Injectable()
export class CountedFailedCredentials extends FailedCredentialLimit {
  private readonly attempts: Attempts;
  private readonly turns = new TurnsByKey({ ...WAITING, atOnce: FAILURES_PER_MINUTE });

  constructor({ client }: RedisConnection) {
    super();
    const own = new MemoryAttempts();
    this.attempts = client === undefined ? own : new RedisAttempts(client, own);
  }

  override checked<T>(pair: CredentialPair, check: () => Promise<T | undefined>): Promise<T | undefined> {
    const key = `${pair.clientIdHash}:${networkOf(pair.address)}`;
    return this.turns.run(key, () => this.counted(key, check), tooManyAtOnce);
  }

  private async counted<T>(key: string, check: () => Promise<T | undefined>): Promise<T | undefined> {
    const { done } = await this.granted(key);
    try {
      const found = await check();
      await done(found === undefined ? 'wrong' : 'right');
      return found;
    } catch (error) {
      const isWrong = error instanceof WrongSoFar;
      await done(isWrong ? 'wrong' : 'unknown');
      throw isWrong ? error.cause : error;
    }
  }

  private async granted(key: string): Promise<Extract<AttemptAnswer, { kind: 'granted' }>> {
    const untilMs = performance.now() + MOST_WAIT_MS;
    for (;;) {
      const answer = await this.attempts.begin(key);
      if (answer.kind === 'granted') return answer;
      if (answer.kind === 'blocked') throw tooManyFailures(answer.waitMs);
      if (performance.now() > untilMs) throw tooManyAtOnce();
      await sleep(AGAIN_MS);
    }
  }
}

const tooMany = (message: string, waitMs: number, refusal: Refusal): ServiceError =>
  new ServiceError('TOO_MANY_REQUESTS', message, {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))) },
    refusal,
  });

const tooManyFailures = (waitMs: number): ServiceError =>
  tooMany('Too many attempts with wrong credentials. Try again later.', waitMs, 'failed-credentials');

const tooManyAtOnce = (): ServiceError =>
  tooMany('Too many attempts at once. Try again later.', 1_000, 'credentials-waiting');
