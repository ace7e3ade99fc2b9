import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { type Sql, sql } from '../../src/kernel/sql/sql.js';
import type { RecordFilter, RecordTest, Restriction } from '../../src/webhooks/subscriptions/record-filter.js';
import { SubscriptionRegister } from '../../src/webhooks/subscriptions/subscription-register.js';
import { aRecord } from '../support/builders/a-record.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

/** A query is the type of event that meets it. Parsed queries are counted, and tested records. */
class TypeFilter implements Pick<RecordFilter, 'ready' | 'testOf'> {
  readings = 0;
  tries = 0;
  onTry: () => unknown = () => undefined;

  ready(): Promise<void> {
    return Promise.resolve();
  }

  testOf({ query, rowFilter }: Restriction): RecordTest {
    this.readings += 1;
    const types = rowFilter === 'everything' ? undefined : rowFilter.flatMap(({ event = [] }) => event);
    return ({ record }) => {
      this.tries += 1;
      this.onTry();
      return (query === null || query === record.type) && types?.includes(record.type) !== false;
    };
  }
}

const CLIENT = aUuid(1);
const birth = aRecord({ type: 'birth' });
const death = aRecord({ type: 'death' });

let test: TestDatabase;
let filter: TypeFilter;
let register: SubscriptionRegister;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
beforeEach(async () => {
  await test.dataSource.query('truncate webhook_subscription, system_client cascade');
  await test.database.query(sql`
    insert into system_client (client_id, name, scopes, secret_hash, sha_secret_sealed, status, created_by)
    values (${CLIENT}, 'a client', '{webhook}', '', '', 'active', 'test')`);
  filter = new TypeFilter();
  register = new SubscriptionRegister(filter, test.database.primary);
});

const add = async (...queries: readonly (string | null)[]): Promise<readonly Uuid[]> => {
  const ids = queries.map(() => aUuid());
  await test.database.query(sql`
    insert into webhook_subscription (id, client_id, topic, callback, format, query)
    select id, ${CLIENT}, 'BIRTH_REGISTERED', 'https://example.org/' || id, 'standard', to_jsonb(query)
      from unnest(${ids}::uuid[], ${queries}::text[]) as new (id, query)`);
  return ids;
};

const concerned = (
  record: EventRecord = birth,
  of = register,
  transaction: Queryable = test.database,
): Promise<readonly Uuid[]> =>
  of
    .concernedBy(transaction, 'BIRTH_REGISTERED', [{ record, notifiedBy: undefined }])
    .then(([found]) => [...(found ?? [])].sort());

describe('the register of subscriptions', () => {
  it('finds whom a change concerns, each query read once', async () => {
    const [all = '', births = '', deaths = ''] = await add(null, 'birth', 'death');
    for (let count = 0; count < 3; count += 1) {
      expect(await concerned(birth)).toEqual([all, births].sort());
      expect(await concerned(death)).toEqual([all, deaths].sort());
    }
    expect(filter.readings).toBe(2);
    const both = await register.concernedBy(
      test.database,
      'BIRTH_REGISTERED',
      [birth, death].map((record) => ({ record, notifiedBy: undefined })),
    );
    expect(both).toEqual([new Set([all, births]), new Set([all, deaths])]);
  });

  it('lets other work have its turn after each 250 tested filters', async () => {
    const ids = await add('birth', ...Array.from({ length: 999 }, () => 'a marriage'));
    await register.upToDate(test.database, await register.look(test.database, ['BIRTH_REGISTERED']));
    const turns = new Set<number>();
    let turn = 0;
    filter.onTry = () => turns.add(turn);
    let next = setImmediate(function count() {
      turn += 1;
      next = setImmediate(count);
    });
    expect(await concerned()).toEqual([ids[0]]);
    clearImmediate(next);
    expect([filter.tries, turns.size]).toEqual([1_000, 4]);
  });

  it('knows at once what another process has changed, and reads that alone', async () => {
    const ids = await add(...Array.from({ length: 1_200 }, () => 'death'));
    expect(await concerned()).toEqual([]);
    const [id] = ids;
    await test.database.query(sql`update webhook_subscription set query = '"birth"' where id = ${id}`);
    expect(await concerned()).toEqual([id]);
    const [another = ''] = await add('birth');
    expect(await concerned()).toEqual([id, another].sort());
    await test.database.query(sql`update webhook_subscription set deleted_at = now() where id = ${id}`);
    expect(await concerned()).toEqual([another]);
    await test.database.query(sql`update webhook_subscription set status = 'ended' where id = ${another}`);
    expect(await concerned()).toEqual([]);
    expect(filter.readings).toBe(1_202);
  });

  it('is sent nothing of those that were removed before it is read, however many', async () => {
    const [kept = ''] = await add('birth', ...Array.from({ length: 300 }, () => 'birth'));
    await test.database.query(sql`update webhook_subscription set deleted_at = now() where id <> ${kept}`);
    let characters = 0;
    const counting: Queryable = {
      query: async <Row>(statement: Sql) => {
        const rows = await test.database.query<Row>(statement);
        characters += JSON.stringify(rows).length;
        return rows;
      },
    };
    expect(await concerned(birth, register, counting)).toEqual([kept]);
    expect(characters).toBeLessThan(1_000);
  });

  it('heeds scopes that are changed', async () => {
    const ids = await add(null);
    expect(await concerned()).toEqual(ids);
    await test.database.query(sql`update system_client set scopes = '{webhook,type=record.search&event=death}'`);
    expect(await concerned()).toEqual([]);
    expect(await concerned(death)).toEqual(ids);
  });

  it('sees what its own transaction sees: what another has not committed is nothing yet', async () => {
    const ids = await add('birth');
    expect(await concerned()).toEqual(ids);
    await test.database.transaction(async (writing) => {
      await writing.query(sql`update webhook_subscription set query = '"death"'`);
      expect(await concerned()).toEqual(ids);
    });
    expect(await concerned()).toEqual([]);
  });

  it('reads nothing again after what claims and attempts note', async () => {
    await add('birth');
    await concerned();
    const revision = (): Promise<unknown> => test.database.query(sql`select revision from webhook_topic`);
    const before = await revision();
    await test.database.query(sql`update webhook_subscription set claim_token = ${aUuid()}, failing_since = now()`);
    expect(await revision()).toEqual(before);
  });

  it('is that of the database again after the database has lost some of its history', async () => {
    const [first = '', second = ''] = await add('birth', 'death');
    const [then] = await test.database.query<{ revision: string; of: string }>(sql`
      select t.revision, s.revision as of from webhook_topic t, webhook_subscription s where id = ${second}`);
    await test.database.query(sql`update webhook_subscription set query = '"birth"' where id = ${second}`);
    const [lost = ''] = await add('birth');
    expect(await concerned()).toEqual([first, second, lost].sort());

    await test.dataSource.query('alter table webhook_subscription disable trigger user');
    await test.database.query(sql`delete from webhook_subscription where id = ${lost}`);
    await test.database.query(
      sql`update webhook_subscription set query = '"death"', revision = ${then?.of} where id = ${second}`,
    );
    await test.database.query(sql`update webhook_topic set revision = ${then?.revision}`);
    await test.dataSource.query('alter table webhook_subscription enable trigger user');
    expect(await concerned()).toEqual([first]);
    const [later = ''] = await add('birth');
    expect(await concerned()).toEqual([first, later].sort());
  });

  it('answers many at once, whoever reads the changes', async () => {
    const ids = (await add(...Array.from({ length: 300 }, () => 'birth'))).toSorted();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        test.database.transaction((transaction) => concerned(birth, register, transaction)),
      ),
    );
    expect(answers).toEqual(answers.map(() => ids));
    expect(filter.readings).toBe(300);
  });
});
