import type { Draws } from '../search/query-kinds.js';
import { QUERY_KINDS } from '../search/query-kinds.js';
import type { RequestKind } from './program.js';
import { writeKinds } from './write-kinds.js';

const LOOK_UPS = ['01', '02', '03', '13'];
const DRAWN = 500;

/**
 * What the comparison asks, drawn from the records that the database was filled with. Searches are a system client's,
 * which are audited, or an administrator's, which are not.
 */
export function requestKinds(draws: Draws, asAdministrator: boolean): readonly RequestKind[] {
  const searches = QUERY_KINDS.map(({ name, draw }): RequestKind => {
    const bodies = Array.from({ length: DRAWN }, () => ({ query: draw(draws) }));
    return {
      name,
      count: LOOK_UPS.some((key) => name.startsWith(key)) ? 3_000 : 400,
      ask: ({ service, client }, number) =>
        service.search(asAdministrator ? service.administrator : client, bodies[number % DRAWN] ?? {}),
    };
  });
  const run = Math.random().toString(36).slice(2, 5).toUpperCase();
  return [...searches, ...writeKinds(run)];
}
