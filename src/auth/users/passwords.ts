import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { Injectable, Optional } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { LRUCache } from 'lru-cache';

import { FairQueue, QueueFull } from '../../platform/queue/fair-queue.js';
import { OtherWork } from '../../platform/queue/other-work.js';
import { asError } from '../../kernel/errors/as-error.js';
import { ServiceError } from '../../kernel/errors/service-error.js';

/** Argon2id, the library's default algorithm, with the parameters of the OWASP Password Storage Cheat Sheet (U-1). */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * How many are hashed at a time, of 19 MiB each: half of the processors, and half of the four threads of libuv, as
 * files, look-ups of names and signatures need the others.
 */
const atOnceOn = (processors: number): number => Math.max(1, Math.min(2, Math.floor(processors / 2)));
/** How many more wait, with what they hold: a hash takes some 10 to 50 ms, so this is about as many as come in time. */
const MOST_WAITING = 200;
/** How long each waits for its turn. */
const WAIT_MS = 5_000;

/**
 * The share of all processors that hashing may have beside other requests. The rest of a login takes about twice as
 * much again, in PostgreSQL and for signatures, so that a storm of logins slows searches by less than a fifth.
 */
const SHARE = 0.08;
const LONGEST_REST_MS = 1_000;

/** Those of whom nothing is known take turns with each other, and have one place in the turns of all. */
const STRANGERS = 'strangers';
/** On behalf of whoever administers. */
const SERVICE = 'service';
/**
 * How many addresses are remembered from which somebody had the right password: a country has some thousand offices.
 */
const MOST_KNOWN = 10_000;

/** Compared with where there is no hash: nobody knows a password that has it. It costs as much as others. */
export const DECOY =
  '$argon2id$v=19$m=19456,t=2,p=1$bWF0cmljdWxhLWRlY295IQ$p8Zl2q1rYbJ6o0sWm4dTnKcEhVxGuAi3PzR5yNfQ7Lk';

/**
 * Hashes passwords, off the main thread and bounded in time and memory: a few at a time, taking turns between
 * those who ask, so that a storm of logins from one address delays those from others by one hash at most. A storm from
 * many addresses delays those from where somebody has signed in lately by as little: strangers have one turn in theirs.
 * While there are other requests, there are pauses in between, so that a storm does not take the processors from
 * searches.
 */
@Injectable()
export class Passwords {
  private readonly turns = new FairQueue({ atOnce: atOnceOn(availableParallelism()), mostWaiting: MOST_WAITING });
  private readonly strangers = new FairQueue({ atOnce: 1, mostWaiting: MOST_WAITING });
  private readonly known = new LRUCache<string, true>({ max: MOST_KNOWN });

  constructor(@Optional() private readonly otherWork: OtherWork = new OtherWork()) {}

  /**
   * The hash, in PHC format. `from`: on whose behalf, such as the caller's address. Throws 503 SERVICE_UNAVAILABLE
   * where too many wait, and where the turn does not come within five seconds.
   */
  hash(plain: string, from = SERVICE): Promise<string> {
    return this.inTurn(from, () => hash(normal(plain), PARAMETERS));
  }

  /**
   * Whether the password has this hash. Without a hash the answer is false after the same time, so that nobody learns
   * who has a password. Throws as `hash` does.
   */
  matches(hashed: string | undefined, plain: string, from = SERVICE): Promise<boolean> {
    return this.inTurn(from, async () => {
      const isRight = (await verify(hashed ?? DECOY, normal(plain))) && hashed !== undefined;
      if (isRight) this.known.set(from, true);
      return isRight;
    });
  }

  private inTurn<T>(from: string, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const late = AbortSignal.timeout(WAIT_MS);
      const turn = async (): Promise<void> => {
        const isBeside = this.otherWork.watch();
        const beganMs = performance.now();
        await work().then(resolve, reject);
        // The answer does not wait for it.
        if (isBeside()) await sleep(restMs(performance.now() - beganMs), undefined, { ref: false });
      };
      const run =
        from === SERVICE || this.known.has(from)
          ? this.turns.run(from, late, turn)
          : this.strangers.run(from, late, () => this.turns.run(STRANGERS, late, turn));
      run.catch((error: unknown) => {
        reject(error instanceof QueueFull || late.aborted ? tooMany() : asError(error));
      });
    });
  }
}

/** For how long a thread rests after a hash that took so long, beside other requests. */
export const restMs = (tookMs: number, processors = availableParallelism()): number =>
  Math.min(LONGEST_REST_MS, tookMs * Math.max(0, atOnceOn(processors) / (SHARE * processors) - 1));

/** A password is the same however a keyboard composes it (NIST SP 800-63B 3.1.1.2). */
const normal = (plain: string): string => plain.normalize('NFKC');

const tooMany = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'Too many passwords are waiting to be checked; try again later', {
    headers: { 'retry-after': '1' },
    refusal: 'passwords-waiting',
  });
