import { TERMS } from '../support/terms.js';
import type { Declaration, EventRecord } from '../../src/kernel/domain/event-record.js';
import { recordRow } from '../../src/events/records/record-row.js';
import { writeRecords } from '../../src/events/records/write-records.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { type RunningApplication, startApplication } from '../support/application.js';
import { aRecord } from '../support/builders/a-record.js';
import { eventually } from '../support/eventually.js';
import { storeRecords } from '../support/store-records.js';
import { anyOf, fuzzy } from '../support/value-conditions.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

let service: RunningApplication;
let token: string;
let administrator: string;

beforeAll(async () => {
  service = await startApplication();
  ({ token } = await service.registerClient('RECORD_SEARCH'));
  administrator = await service.issuer.token({ sub: 'admin', scope: ['sysadmin'] });
});
afterAll(() => service.stop());

const searched = (data: object) => ({ query: { clauses: [{ data }] } });

/** Others wait as well, such as whatever writes bitmaps. */
const WAITING = sql`
  select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
     and query ~ 'with matched as|lock table event_search, event_document in access share'`;

/** The answer to a request whose words and kinds of values are read before a record changes, and its rows after. */
async function answeredBesides<T>(record: EventRecord, to: Declaration, ask: () => Promise<T>): Promise<T> {
  const { database } = service.database;
  const changed = { ...record, declaration: to };
  const { asked } = await database.transaction(async (transaction) => {
    await transaction.query(sql`lock table event_search in access exclusive mode`);
    const asked = ask();
    await eventually('the statement of the request waits', async () => (await database.query(WAITING)).length > 0);
    await writeRecords(transaction, [
      {
        id: record.id,
        incoming: { kind: 'record', record: changed },
        configuration: WITHOUT_FORMS,
        terms: TERMS,
        row: recordRow({ record: changed, notified: undefined }, TERMS),
      },
    ]);
    return { asked };
  });
  return asked;
}

/** How a record is asked for, and what is found of it: declarations, or how many. */
const REQUESTS: Readonly<Record<string, (data: object) => Promise<unknown>>> = {
  search: (data) => declarationsOf({ ...searched(data) }),
  page: (data) => declarationsOf({ ...searched(data), limit: 501 }),
  stream: async (data) => {
    const headers = { accept: 'application/x-ndjson' };
    const { body } = await service.request('POST', '/events/search', { token, body: searched(data), headers });
    return body.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as EventRecord).declaration]));
  },
  counts: async (data) => {
    const body = { queries: [{ query: { clauses: [{ eventType: 'none' }] } }, searched(data)] };
    return (await service.request('POST', '/events/search/counts', { token, body })).json;
  },
  explanation: async (data) => {
    const asked = { token: administrator, body: searched(data), listener: 'internal' } as const;
    const { json } = await service.request('POST', '/events/search/explain', asked);
    return (json as { readonly total: number }).total;
  },
};

/** What requests for numbers answer where one record matches. */
const COUNTED: Readonly<Record<string, unknown>> = { counts: { totals: [0, 1] }, explanation: 1 };

async function declarationsOf(body: object): Promise<unknown> {
  const { json } = await service.request('POST', '/events/search', { token, body });
  return (json as { readonly results: readonly EventRecord[] }).results.map(({ declaration }) => declaration);
}

interface Change {
  readonly data: object;
  readonly before: Declaration;
  readonly after: Declaration;
}

/** Words and kinds that were written once stay known: each request has its own. */
describe.each<[string, (own: string) => Change]>([
  [
    'a name near the one searched',
    (own) => ({
      data: { 'child.name': fuzzy(`Bwalya${own}`) },
      before: named(`Bwalya${own}`),
      after: named(`Bwalya${own}a`),
    }),
  ],
  [
    'a name near the one searched, in any field',
    (own) => ({
      data: fuzzy(`Chipego${own}`),
      before: named(`Chipego${own}`),
      after: { 'mother.name': `Chipego${own}o` },
    }),
  ],
  [
    'another kind of value',
    (own) => ({
      data: { [`code.${own}`]: anyOf('17', 'seventeen') },
      before: { [`code.${own}`]: 17 },
      after: { [`code.${own}`]: 'seventeen' },
    }),
  ],
])('a record that matches before it gets %s and after', (_, changeOf) => {
  afterEach(() => service.database.database.query(sql`truncate event cascade`));

  it.each(Object.entries(REQUESTS))('is found meanwhile: %s', async (own, ask) => {
    const { data, before, after } = changeOf(own);
    const record = aRecord({ declaration: before });
    await storeRecords(service.database.database, [record]);
    const found = await answeredBesides(record, after, () => ask(data));
    expect(found).toEqual(COUNTED[own] ?? [after]);
  });
});

function named(firstname: string): Declaration {
  return { 'child.name': { firstname, surname: 'Phiri' } };
}
