/**
 * What searches cost with the scopes of the shipped roles, whose places are joined by "or":
 * `npx tsx bench/user-searches.ts [records] [directory]`. Needs the built program, and starts its own PostgreSQL, in
 * the directory if one is given, which is kept and not filled again.
 */
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { DEFAULT_ROLES } from '../src/auth/users/roles.js';
import { forMs, rate } from './measure/rate.js';
import { OwnService, type Urls } from './service/own-service.js';

const [records = '100000', kept] = process.argv.slice(2);
const RUN_MS = 3_000;

/** Who asks: where he works, and as what. */
const CALLERS = [
  ['NATIONAL_REGISTRAR', 'CRVS_OFFICE'],
  ['LOCAL_REGISTRAR', 'CRVS_OFFICE'],
  ['HOSPITAL_CLERK', 'HEALTH_FACILITY'],
] as const;

const SEARCHES: Readonly<Record<string, object>> = {
  'the latest births': { clauses: [{ eventType: 'birth' }] },
  'births that are declared': { clauses: [{ eventType: 'birth', status: { type: 'exact', term: 'DECLARED' } }] },
  'a name, roughly': { clauses: [{ data: { 'child.name': { type: 'fuzzy', term: 'Banda' } } }] },
};

async function measure(service: OwnService, { publicUrl }: Urls): Promise<void> {
  const pool = new Pool(publicUrl, { connections: 4 });
  const admin = service.matricula('token', '--role', 'national-system-admin').trim();
  for (const [role, locationType] of CALLERS) {
    const listed = await pool.request({
      path: `/locations?locationType=${locationType}`,
      method: 'GET',
      headers: { authorization: `Bearer ${admin}` },
    });
    const [office] = (await listed.body.json()) as { readonly id: string; readonly name: string }[];
    const scopes = DEFAULT_ROLES.find(({ id }) => id === role)?.scopes ?? [];
    const options = scopes.filter((scope) => scope.includes('record.search')).flatMap((scope) => ['--scope', scope]);
    const token = service.matricula('token', ...options, '--subject', 'bench', '--office', office?.id ?? '').trim();
    for (const [what, query] of Object.entries(SEARCHES)) {
      let total = 0;
      const search = async (): Promise<void> => {
        const answer = await pool.request({
          path: '/events/search',
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify({ query, limit: 10 }),
        });
        const body = await answer.body.text();
        if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${body}`);
        ({ total } = JSON.parse(body) as { total: number });
      };
      for (let warm = 0; warm < 5; warm += 1) await search();
      const { perSecond, p50, p99 } = await rate(1, forMs(RUN_MS), search);
      console.log(JSON.stringify({ role, office: office?.name, what, total, perSecond, p50, p99 }));
    }
  }
  await pool.close();
}

const isFilled = kept !== undefined && existsSync(kept);
const service = new OwnService(kept ?? mkdtempSync(join(tmpdir(), 'user-searches-')));
if (!isFilled) service.matricula('seed', '--records', records);
await service.during((urls) => measure(service, urls), kept !== undefined);
