import { otherUnicode } from '../../src/platform/database/connection/derived-version.js';
import { migrate } from '../../src/platform/database/schema/migrate.js';
import { reindex } from '../../src/events/reindex/reindex.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { storeRecords } from '../support/store-records.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

const OWN = String(process.versions['unicode']);

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.drop());

/** As if a process with an earlier Unicode, or of an earlier release, had derived what is there. */
const derivedBy = (unicode: string | null) => test.database.query(sql`update derived_version set unicode = ${unicode}`);

const stored = async (): Promise<unknown> => test.database.query(sql`select unicode from derived_version`);

describe('the Unicode by which words were derived', () => {
  it('is that of the process that starts on an empty database', async () => {
    await derivedBy('1.1');
    await migrate(test.dataSource);
    expect([await otherUnicode(test.database), await stored()]).toEqual([undefined, [{ unicode: OWN }]]);
  });

  it('is taken for that of the process that starts, where an earlier release named none', async () => {
    await storeRecords(test.database, [aRecord()]);
    await derivedBy(null);
    expect(await otherUnicode(test.database)).toBeUndefined();
    await migrate(test.dataSource);
    expect(await stored()).toEqual([{ unicode: OWN }]);
  });

  it('stays that of another process where there are records, until a reindex', async () => {
    await storeRecords(test.database, [aRecord()]);
    await derivedBy('1.1');
    await migrate(test.dataSource);
    expect(await otherUnicode(test.database)).toEqual({ stored: '1.1', own: OWN });
    await reindex(test.database, WITHOUT_FORMS);
    expect([await otherUnicode(test.database), await stored()]).toEqual([undefined, [{ unicode: OWN }]]);
  });
});
