import { lookup, Resolver } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';
import { FairQueue } from '../queue/fair-queue.js';
import { codeOf } from './exchange.js';

/** At least one address. Throws the DNS error with its `code`. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** Unknown to every server, or no server: the hosts file or a search domain may know the name. */
const UNKNOWN_TO_DNS = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

const MOST_WAITING = 100;

/** DNS first: in the C library a dead name server would block one of few threads (W-9). Then the system. */
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

/** Each may hold one of Node.js's two look-up threads for ten seconds. Throws for a wait past `timeoutMs`. */
export function oneAtATime(resolve: ResolveHost, timeoutMs: number): ResolveHost {
  const turns = new FairQueue({ atOnce: 1, mostWaiting: MOST_WAITING });
  return (hostname) => turns.run(hostname, AbortSignal.timeout(timeoutMs), () => resolve(hostname));
}

/** Caches each name for `keptMs`, at most `most` names; failures are not cached. */
export function rememberingResolver(resolve: ResolveHost, keptMs: number, most: number): ResolveHost {
  const known = new LRUCache<string, readonly string[]>({
    ...{ max: most, ttl: keptMs, ttlResolution: 0 },
    ...{ fetchMethod: (hostname) => resolve(hostname), ignoreFetchAbort: true },
  });
  return async (hostname) => (await known.fetch(hostname)) ?? [];
}

/** Timeout of a name server and lifetime of its answer. */
const NAME_SERVER_MS = 3_000;
const NAME_KEPT_MS = 5_000;

export const hostResolver = (most: number): ResolveHost =>
  rememberingResolver(systemResolver(NAME_SERVER_MS), NAME_KEPT_MS, most);
