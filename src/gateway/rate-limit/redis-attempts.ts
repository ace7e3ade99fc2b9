import { randomUUID } from 'node:crypto';

import type { Redis } from 'ioredis';

import type { AttemptAnswer, Attempts } from './attempts.js';
import { FAILURES_PER_MINUTE, WINDOW_MS } from './attempts.js';

/** A check whose process died counts for no longer than this. */
const LEASE_MS = 10_000;
/** Attempts, of a quarter of a second each, before Redis counts as away. */
const TRIES = 3;

/** KEYS: failures, checks by their latest end. ARGV: most, id, lease. Yields a kind and a wait, in ms. */
const BEGIN = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local failures = tonumber(redis.call('GET', KEYS[1]) or '0')
if failures >= tonumber(ARGV[1]) then return {'blocked', redis.call('PTTL', KEYS[1])} end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
if failures + redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[1]) then return {'later', 0} end
redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return {'granted', 0}`;

/** KEYS: the same. ARGV: id, 1 for a failure, window in ms. */
const DONE = `
redis.call('ZREM', KEYS[2], ARGV[1])
if ARGV[2] == '1' and redis.call('INCR', KEYS[1]) == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
return 1`;

/** The attempts of all processes, counted in Redis; those of this process alone while Redis does not answer. */
export class RedisAttempts implements Attempts {
  constructor(
    private readonly redis: Redis,
    private readonly own: Attempts,
  ) {}

  async begin(key: string): Promise<AttemptAnswer> {
    // A busy process may take an answer for late that has arrived: counting for itself at once would give it additional
    // attempts.
    for (let attempt = 1; attempt <= TRIES && this.redis.status === 'ready'; attempt += 1) {
      const answer = await this.ask(key);
      if (answer !== undefined) return answer;
    }
    return this.own.begin(key);
  }

  /** Undefined if Redis does not answer in time. */
  private async ask(key: string): Promise<AttemptAnswer | undefined> {
    const keys = [`matricula:failed-credentials:${key}`, `matricula:checked-credentials:${key}`] as const;
    const id = randomUUID();
    const done = async (failures: 0 | 1): Promise<void> => {
      // If Redis does not accept this, the lease expires.
      await this.redis.eval(DONE, keys.length, ...keys, id, failures, WINDOW_MS).catch(() => undefined);
    };
    const answer = await this.redis
      .eval(BEGIN, keys.length, ...keys, FAILURES_PER_MINUTE, id, LEASE_MS)
      .catch(() => undefined);
    const [kind, waitMs] = Array.isArray(answer) ? (answer as unknown[]) : [];
    if (kind === 'blocked') return { kind, waitMs: Number(waitMs) };
    if (kind === 'later') return { kind };
    if (kind === 'granted') return { kind, done: (outcome) => done(outcome === 'wrong' ? 1 : 0) };
    // A late Redis may still grant it when nobody waits any more.
    void done(0);
    return undefined;
  }
}
