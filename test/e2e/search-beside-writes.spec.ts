import { WITHOUT_FORMS } from '../../src/domain/event-configuration/event-configuration.js';
import type { Declaration } from '../../src/domain/record/declaration.js';
import type { EventRecord } from '../../src/domain/record/event-record.js';
import { recordRow } from '../../src/records/record-row.js';
import { writeRecords } from '../../src/records/store/write-records.js';
import { sql } from '../../src/sql/sql.js';
import type { RunningApplication } from '../support/application.js';
import { startApplication } from '../support/application.js';
import { aRecord } from '../support/builders/a-record.js';
import { eventually } from '../support/eventually.js';
import { storeRecords } from '../support/store-records.js';
import { anyOf, fuzzy } from '../support/value-conditions.js';

let service: RunningApplication;
let token: string;

beforeAll(async () => {
  service = await startApplication();
  ({ token } = await service.registerClient('RECORD_SEARCH'));
});
afterAll(() => service.stop());

const searched = (data: object) => ({ query: { clauses: [{ data }] } });

/** Others wait as well, such as whatever writes bitmaps. */
const WAITING = sql`
  select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
     and query ~ 'with matched as'`;

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
        row: recordRow({ record: changed, notified: undefined }),
      },
    ]);
    return { asked };
  });
  return asked;
}

describe.each<[string, object, Declaration, Declaration]>([
  ['a name near the one searched', { 'child.name': fuzzy('Bwalya') }, named('Bwalya'), named('Bwalyaa')],
  ['a name near the one searched, in any field', fuzzy('Chipego'), named('Chipego'), { 'mother.name': 'Chipegoo' }],
  ['another kind of value', { code: anyOf('17', 'seventeen') }, { code: 17 }, { code: 'seventeen' }],
])('a record that matches before it gets %s and after', (_, data, before, after) => {
  const record = aRecord({ declaration: before });
  beforeEach(() => storeRecords(service.database.database, [record]));
  afterEach(() => service.database.database.query(sql`truncate event cascade`));

  it('is found by a search meanwhile', async () => {
    const ask = () => service.request('POST', '/events/search', { token, body: searched(data) });
    const { status, json } = await answeredBesides(record, after, ask);
    expect([status, json]).toMatchObject([200, { total: 1, results: [{ id: record.id, declaration: after }] }]);
  });
});

function named(firstname: string): Declaration {
  return { 'child.name': { firstname, surname: 'Phiri' } };
}
