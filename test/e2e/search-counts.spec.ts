import { sql } from '../../src/kernel/sql/sql.js';
import { type RunningApplication, startApplication } from '../support/application.js';
import { aRecord } from '../support/builders/a-record.js';
import { eventually } from '../support/eventually.js';
import { storeRecords } from '../support/store-records.js';

const exact = (status: string): object => ({ status: { type: 'exact', term: status } });
const BIRTHS = { query: { clauses: [{ eventType: 'birth' }] } };
const DEATHS = { query: { clauses: [{ eventType: 'death' }] } };
const DECLARED = { query: { clauses: [exact('DECLARED')] } };
const NAMED = { query: { clauses: [{ data: { 'child.name': { type: 'fuzzy', term: 'Musonda' } } }] } };
const NOTHING = { query: { clauses: [{ eventType: 'marriage' }] } };
/** What a request with the costliest conditions is allowed, and a little more. */
const DEAR = {
  query: { clauses: [{ data: { type: 'anyOf', terms: Array.from({ length: 30 }, (_, at) => `term ${at}`) } }] },
};

let service: RunningApplication;
let client: Awaited<ReturnType<RunningApplication['registerClient']>>;

beforeAll(async () => {
  service = await startApplication();
  await storeRecords(service.database.database, [
    ...Array.from({ length: 7 }, () => aRecord({ type: 'birth' })),
    ...Array.from({ length: 3 }, () => aRecord({ type: 'death', status: 'REGISTERED', declaration: {} })),
    aRecord({ type: 'birth', flags: ['sealed'] }),
  ]);
  client = await service.registerClient('RECORD_SEARCH');
});
afterAll(() => service.stop());

const count = (queries: unknown, token = client.token) =>
  service.request('POST', '/events/search/counts', { token, body: { queries } });

describe('the totals of several queries', () => {
  it('are those of the searches, in the order of the request', async () => {
    const queries = [BIRTHS, DEATHS, DECLARED, NAMED, NOTHING, BIRTHS];
    const searched = await Promise.all(
      queries.map(async ({ query }) => {
        const body = { query, limit: 0 };
        const { json } = await service.request('POST', '/events/search', { token: client.token, body });
        return (json as { readonly total: number }).total;
      }),
    );
    const { status, json } = await count(queries);
    expect({ status, json, searched }).toEqual({
      status: 200,
      json: { totals: [8, 3, 8, 8, 0, 8] },
      searched: [8, 3, 8, 8, 0, 8],
    });
  });

  it('are of what the scopes of the caller cover, as one row of the audit log says', async () => {
    const scope = ['type=record.search&event=birth&flags.noneOf[]=sealed'];
    const token = await service.issuer.token({ sub: 'registrar', scope });
    expect((await count([BIRTHS, DEATHS], token)).json).toEqual({ totals: [7, 0] });

    await count([DEATHS, NOTHING]);
    const rows = () =>
      service.database.database.query(
        sql`select request_data as "requestData", response_summary as "responseSummary" from audit_log
            where operation = 'event.search' and client_id = ${client.clientId} order by created_at desc limit 1`,
      );
    await eventually('its row', async () => JSON.stringify(await rows()).includes('[3,0]'));
    expect(await rows()).toEqual([
      { requestData: { queries: [DEATHS, NOTHING] }, responseSummary: { totals: [3, 0] } },
    ]);
  });

  it('are refused for a date in `data` that does not exist, as a search, a stream and an explanation are (S-10)', async () => {
    const query = { clauses: [{ data: { 'child.dob': { type: 'exact', term: '2025-02-31' } } }] };
    const fault = 'query.clauses[0].data["child.dob"].term: must be a real date such as `2026-01-31`';
    const asked = { token: client.token, body: { query } };
    const admin = { ...asked, token: await service.issuer.token({ scope: ['natlsysadmin'] }) };
    const answers = await Promise.all([
      count([{ query }]),
      service.request('POST', '/events/search', asked),
      service.request('POST', '/events/search', { ...asked, headers: { accept: 'application/x-ndjson' } }),
      service.request('POST', '/events/search/explain', { ...admin, listener: 'internal' }),
    ]);
    expect(answers.map(({ status, json }) => ({ status, issues: (json as { issues?: unknown }).issues }))).toEqual([
      { status: 400, issues: [{ message: `queries[0].${fault}` }] },
      ...Array.from({ length: 3 }, () => ({ status: 400, issues: [{ message: fault }] })),
    ]);
  });

  it('are of one moment, while records move from one query to another', async () => {
    const { database } = service.database;
    const [row] = await database.query<{ readonly total: number }>(
      sql`select count(*)::int as total from event_search where type = 'birth'`,
    );
    let moving = true;
    const moves = (async () => {
      for (let at = 0; moving; at += 1) {
        const status = at % 2 === 0 ? 'REGISTERED' : 'DECLARED';
        await database.query(sql`update event_search set status = ${status} where type = 'birth'`);
      }
    })();
    const births = (status: string): object => ({ query: { clauses: [{ eventType: 'birth', ...exact(status) }] } });
    try {
      for (let at = 0; at < 20; at += 1) {
        const { json } = await count([births('DECLARED'), births('REGISTERED')]);
        const { totals } = json as { readonly totals: readonly number[] };
        expect(totals.reduce((sum, total) => sum + total, 0)).toBe(row?.total);
      }
    } finally {
      moving = false;
      await moves;
    }
  });

  it.each([
    [undefined, 'queries: is required and must be a list of 1 to 100 objects with `query`'],
    [[], 'queries: must be a list of 1 to 100 objects with `query`'],
    [Array.from({ length: 101 }, () => BIRTHS), 'queries: must be a list of 1 to 100 objects with `query`'],
    [[BIRTHS, { query: { clauses: [] } }], 'queries[1].query.clauses: must be a list of at least one clause'],
    [[BIRTHS, 'births'], 'queries[1]: must be an object with `query`'],
  ])('are refused for the queries %j, with the place of the fault', async (queries, message) => {
    const { status, json } = await count(queries);
    expect({ status, json }).toEqual({
      status: 400,
      json: { message: 'Input validation failed', code: 'BAD_REQUEST', issues: [{ message }] },
    });
  });

  it('may cost together what one search may', async () => {
    const one = await count([DEAR]);
    const { status, json } = await count(Array.from({ length: 100 }, () => DEAR));
    const issues = expect.arrayContaining([
      {
        message: expect.stringMatching(
          /^queries\[0\]\.query\.clauses\[0\]\.data: costs \d+ of \d+, and the queries of a request may cost 2000 in all/,
        ) as string,
      },
    ]) as object[];
    expect({ one: one.status, status, json }).toEqual({
      one: 200,
      status: 400,
      json: { message: 'Input validation failed', code: 'BAD_REQUEST', issues },
    });
  });
});
