import { lookup, Resolver } from 'node:dns/promises';

import { LRUCache } from 'lru-cache';

import { FairQueue } from '../queue/fair-queue.js';
import { codeOf } from './exchange.js';

/** At least one address. Throws the DNS error with its `code`. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** Unknown to every server, or no server: the hosts file or a search domain may know the name. */
const UNKNOWN_TO_DNS = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

const MOST_WAITING = 100;

/**
 * DNS comes first: in the C library a dead name server would block one of few lookup threads (W-9). Names unknown to
 * DNS go to the system, one at a time.
 */
export function systemResolver(timeoutMs: number): ResolveHost {
  const known = oneAtATime(async (hostname) => {
    return (await lookup(hostname, { all: true })).map(({ address }) => address);
  }, timeoutMs);
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const failures: unknown[] = [v4, v6].flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason as unknown] : [],
    );
    const unanswered = failures.find((failure) => !UNKNOWN_TO_DNS.has(codeOf(failure)));
    if (unanswered !== undefined) throw new Error(`no answer on ${hostname}`, { cause: unanswered });
    return known(hostname);
  };
}

/**
 * Serialized, since each may take one of Node.js's two look-up threads for ten seconds; the other is for the database
 * and Redis. Throws for a wait past `timeoutMs`.
 */
export function oneAtATime(resolve: ResolveHost, timeoutMs: number): ResolveHost {
  const turns = new FairQueue({ atOnce: 1, mostWaiting: MOST_WAITING });
  return (hostname) => turns.run(hostname, AbortSignal.timeout(timeoutMs), () => resolve(hostname));
}

interface Kept {
  readonly untilMs: number;
  readonly addresses: Promise<readonly string[]>;
}

/** Caches each name for `keptMs`, at most `most` names; failures are not cached. */
export function rememberingResolver(
  resolve: ResolveHost,
  keptMs: number,
  most: number,
  nowMs: () => number,
): ResolveHost {
  const known = new LRUCache<string, Kept>({ max: most });
  return (hostname) => {
    const kept = known.peek(hostname);
    if (kept !== undefined && kept.untilMs > nowMs()) return kept.addresses;
    const addresses = resolve(hostname);
    const entry = { untilMs: nowMs() + keptMs, addresses };
    known.set(hostname, entry);
    addresses.catch(() => {
      if (known.peek(hostname) === entry) known.delete(hostname);
    });
    return addresses;
  };
}

/** Timeout of a name server and lifetime of its answer. */
const NAME_SERVER_MS = 3_000;
const NAME_KEPT_MS = 5_000;

export const hostResolver = (most: number): ResolveHost =>
  rememberingResolver(systemResolver(NAME_SERVER_MS), NAME_KEPT_MS, most, () => performance.now());
