import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Optional } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { LRUCache } from 'lru-cache';
import { Capacities, hashesAtOnceOn } from '../../platform/queue/capacities.js';
import { OtherWork } from '../../platform/queue/other-work.js';

/** Argon2id parameters of the OWASP Password Storage Cheat Sheet (U-1). */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Share of the processors beside other requests: a login storm slows searches by less than a fifth. */
const SHARE = 0.08;
const LONGEST_REST_MS = 1_000;

/** Unknown addresses share one place in the rotation. */
const STRANGERS = 'strangers';
const SERVICE = 'service';
/** A country has some thousand offices. */
const MOST_KNOWN = 10_000;

/** Compared where there is no hash, at the same cost; never matches. */
export const DECOY =
  '$argon2id$v=19$m=19456,t=2,p=1$bWF0cmljdWxhLWRlY295IQ$p8Zl2q1rYbJ6o0sWm4dTnKcEhVxGuAi3PzR5yNfQ7Lk';

/**
 * Hashes passwords off the main thread, bounded in time and memory. Callers take turns: a login storm from one
 * address delays others by one hash. Addresses without a recent login share one turn. Pauses leave searches the
 * processors.
 */
@Injectable()
export class Passwords {
  private readonly known = new LRUCache<string, true>({ max: MOST_KNOWN });

  constructor(
    private readonly capacities: Capacities,
    @Optional() private readonly otherWork: OtherWork = new OtherWork(),
  ) {}

  /** PHC format. `from`: whose turn, such as an address. 503 for a full queue, or after five seconds. */
  hash(plain: string, from = SERVICE): Promise<string> {
    return this.inTurn(from, () => hash(normal(plain), PARAMETERS));
  }

  /** Without a hash, false after the same time, to hide whether a password exists. Throws as `hash`. */
  matches(hashed: string | undefined, plain: string, from = SERVICE): Promise<boolean> {
    return this.inTurn(from, async () => {
      const isRight = (await verify(hashed ?? DECOY, normal(plain))) && hashed !== undefined;
      if (isRight) this.known.set(from, true);
      return isRight;
    });
  }

  private inTurn<T>(from: string, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const turn = async (): Promise<void> => {
        const isBeside = this.otherWork.watch();
        const beganMs = performance.now();
        await work().then(resolve, reject);
        // The answer does not wait for this pause.
        if (isBeside()) await sleep(restMs(performance.now() - beganMs), undefined, { ref: false });
      };
      const hashed = (client: string): Promise<void> => this.capacities.run('passwords', { client }, turn);
      const isKnown = from === SERVICE || this.known.has(from);
      const done = isKnown
        ? hashed(from)
        : this.capacities.run('passwords-of-strangers', { client: from }, () => hashed(STRANGERS));
      done.catch(reject);
    });
  }
}

/** Pause in milliseconds after a hash, beside other requests. */
export const restMs = (tookMs: number, processors = availableParallelism()): number =>
  Math.min(LONGEST_REST_MS, tookMs * Math.max(0, hashesAtOnceOn(processors) / (SHARE * processors) - 1));

/** Unicode composition does not matter (NIST SP 800-63B 3.1.1.2). */
const normal = (plain: string): string => plain.normalize('NFKC');
