import { DiskStore } from '../../src/files/store/disk-store.js';
import { sql } from '../../src/sql/sql.js';
import { EnclosedFiles } from '../../src/webhooks/context/enclosed-files.js';
import { aUuid } from '../support/builders/a-uuid.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase({ icuLocale: 'en-US' });
  await test.database.query(sql`
    insert into upload (id, uploader, path, event_id, transaction_id, type, bytes, sha256)
    select gen_random_uuid(), 'hospital', 'events/' || event || '/tx.png', event, event, 'image/png', 3, ''
      from (select gen_random_uuid() as event from generate_series(1, 5000)) as uploaded`);
  await test.database.query(sql`analyze upload`);
});
afterAll(() => test.drop());

describe('the files that a notification encloses', () => {
  it('are found by indexes, among all uploads of a database that sorts texts by a language', async () => {
    const query = jest.spyOn(test.database, 'query');
    await new EnclosedFiles(test.database, new DiskStore('/nowhere')).of(aUuid(), ['REGISTER']);
    const [statement] = query.mock.calls[0] ?? [];
    if (statement === undefined) throw new Error('nothing was asked');
    const plan = await test.database.query<{ 'QUERY PLAN': string }>(sql`explain (costs off) ${statement}`);
    const scans = plan.flatMap((row) => /Scan (?:using|on) upload.*/.exec(row['QUERY PLAN'])?.[0] ?? []);
    expect(scans).toEqual(['Scan on upload', 'Scan on upload_named_by', 'Scan on upload_of_event']);
  });
});
