import type { Spread } from '../measure/spread.js';
import { spreadOf } from '../measure/spread.js';
import type { Service } from '../service/service.js';
import { pageOf } from './page-of.js';

export interface DepthFound {
  readonly depth: number;
  readonly byOffset: Spread;
  /** Absent where a page names no next one. */
  readonly byCursor?: Spread;
}

const DEPTHS = [0, 1_000, 10_000, 100_000, 1_000_000];
const RUNS = 15;
/** The longest step of a walk by cursor. */
const STEP = 10_000;

const QUERY = { clauses: [{ eventType: 'birth', status: { type: 'exact', term: 'REGISTERED' } }] };

/** How long a page of 100 takes at some depths of the births that are registered, newest first. */
export async function paging(service: Service, tell: (line: string) => void): Promise<DepthFound[]> {
  const found: DepthFound[] = [];
  const { total } = pageOf(await service.search({ query: QUERY, limit: 0 }));
  const walk = new Walk(service);
  for (const depth of DEPTHS.filter((at) => at < total)) {
    const byOffset = await timed(async () => pageOf(await service.search({ query: QUERY, offset: depth })).ms);
    const cursor = await walk.to(depth);
    const byCursor =
      cursor === undefined
        ? undefined
        : await timed(async () => pageOf(await service.search({ query: QUERY, cursor })).ms);
    found.push({ depth, byOffset, ...(byCursor !== undefined && { byCursor }) });
    tell(`depth ${depth}: by offset ${byOffset.p50.toFixed(1)} ms, by cursor ${byCursor?.p50.toFixed(1) ?? '–'} ms`);
  }
  return found;
}

async function timed(run: () => Promise<number>): Promise<Spread> {
  const times: number[] = [];
  await run();
  for (let at = 0; at < RUNS; at++) times.push(await run());
  return spreadOf(times);
}

/** One walk through all pages, from one depth to the next. */
class Walk {
  private depth = 0;
  private cursor: string | undefined;

  constructor(private readonly service: Service) {}

  /** The cursor of the page at the depth; undefined at the beginning, and where there are no cursors. */
  async to(depth: number): Promise<string | undefined> {
    while (this.depth < depth) {
      const limit = Math.min(STEP, depth - this.depth);
      const answer = await this.service.search({
        query: QUERY,
        limit,
        ...(this.cursor !== undefined && { cursor: this.cursor }),
      });
      const address = /<([^>]+)>;\s*rel="?next"?/.exec(answer.link ?? '')?.[1];
      const next = address === undefined ? null : new URL(address, 'http://service').searchParams.get('cursor');
      if (next === null) return undefined;
      this.cursor = next;
      this.depth += limit;
    }
    return this.cursor;
  }
}
