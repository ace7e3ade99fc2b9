import { CLI } from '../../src/platform/audit/audit-entry.js';
import { AccessTokens } from '../../src/auth/tokens/access-tokens.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { importLocations } from '../../src/auth/locations/import-locations.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { JSON_TYPE, serve, type Service } from '../support/auth-service.js';
import { aLegalStatus } from '../support/builders/a-legal-status.js';
import { aRecord } from '../support/builders/a-record.js';
import { eventually } from '../support/eventually.js';
import { LOCATIONS_FILE, OFFICE, OTHER_OFFICE, SECOND_OFFICE } from '../support/hierarchy.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { storeRecords } from '../support/store-records.js';

let database: TestDatabase;
let service: Service;
beforeAll(async () => {
  database = await createTestDatabase();
  await importLocations(database.database, LOCATIONS_FILE);
  for (const office of [OFFICE, SECOND_OFFICE, OTHER_OFFICE])
    await storeRecords(
      database.database,
      [
        aRecord({
          placeOfEvent: office,
          legalStatuses: { DECLARED: aLegalStatus({ createdAtLocation: office }), REGISTERED: null },
        }),
      ],
      { createdBy: 'hospital', createdAtLocation: office },
    );
  service = await serve(database);
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const EVERYTHING = { query: { type: 'and', clauses: [{ eventType: 'birth' }] } };

interface Asked {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request as a user with this scope at this office. */
async function ask(path: string, scope: string, office?: Uuid, request: Asked = {}): Promise<Response> {
  const token = await service.app
    .get(AccessTokens, { strict: false })
    .tokenOfUser({ scopes: [scope], office, subject: 'clerk', ttlSeconds: 600, by: CLI }, new Date());
  const headers = { ...JSON_TYPE, ...request.headers, authorization: `Bearer ${token}` };
  return fetch(`${service.url}${path}`, { ...request, headers });
}

const posting = (body: object, headers: Readonly<Record<string, string>> = {}): Asked => ({
  ...{ method: 'POST', body: JSON.stringify(body), headers },
});

/** Where the records took place that a user at this office finds; in the same order each time. */
async function found(scope: string, office?: Uuid): Promise<readonly (string | null)[]> {
  const answer = await ask('/events/search', scope, office, posting(EVERYTHING));
  const { results, total } = (await answer.json()) as { results: { placeOfEvent: string | null }[]; total: number };
  expect(total).toBe(results.length);
  return results.map(({ placeOfEvent }) => placeOfEvent).sort();
}

it.each(['placeOfEvent', 'declaredIn', 'notifiedIn'])('a search finds what %s admits at the office', async (option) => {
  const scope = (jurisdiction: string): string => `type=record.search&${option}=${jurisdiction}`;
  expect(await found(scope('location'), OFFICE)).toEqual([OFFICE]);
  expect(await found(scope('administrativeArea'), OFFICE)).toEqual([OFFICE, SECOND_OFFICE]);
  expect(await found(scope('administrativeArea'), OTHER_OFFICE)).toEqual([OTHER_OFFICE]);
  expect(await found(scope('location'))).toEqual([]);
  expect(await found(`${scope('location')}&event=death`, OFFICE)).toEqual([]);
});

it('a search follows an office that comes under another area', async () => {
  const scope = 'type=record.search&placeOfEvent=administrativeArea';
  await database.database.query(sql`update place set part_of = null where id = ${OTHER_OFFICE}`);
  await database.database.query(sql`select pg_notify('places_changed', '')`);
  const everywhere = [OFFICE, SECOND_OFFICE, OTHER_OFFICE];
  await eventually('it is heard of', async () => (await found(scope, OTHER_OFFICE)).length === 3);
  expect(await found(scope, OTHER_OFFICE)).toEqual(everywhere);
});

it('what is counted and exported is the same', async () => {
  const scope = 'type=record.search&declaredIn=location';
  const counts = await ask('/events/search/counts', scope, OFFICE, posting({ queries: [EVERYTHING] }));
  expect(await counts.json()).toEqual({ totals: [1] });
  const lines = await ask('/events/search', scope, OFFICE, posting(EVERYTHING, { accept: 'application/x-ndjson' }));
  const exported = (await lines.text()).trimEnd().split('\n');
  expect(exported.map((line) => (JSON.parse(line) as { placeOfEvent: string }).placeOfEvent)).toEqual([OFFICE]);
});

it.each([
  ['GET', '/webhooks'],
  ['POST', '/webhooks'],
  ['DELETE', `/webhooks/${OFFICE}`],
  ['GET', `/webhooks/${OFFICE}/deliveries`],
  ['POST', `/webhooks/${OFFICE}/deliveries/${OFFICE}/replay`],
  ['POST', `/webhooks/${OFFICE}/replay`],
])('webhooks are for clients: %s %s of a user is 403', async (method, path) => {
  const answer = await ask(path, 'webhook', OFFICE, { method, ...(method === 'POST' && { body: '{' }) });
  expect([answer.status, await answer.json()]).toEqual([
    ...[403, { code: 'FORBIDDEN', message: 'Only system clients may do this' }],
  ]);
});
