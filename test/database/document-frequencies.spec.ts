import { DocumentFrequencies } from '../../src/events/index/statistics/document-frequencies.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { anInstant } from '../support/builders/an-instant.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { storeRecords } from '../support/store-records.js';

describe('the frequencies by which plans are chosen', () => {
  let test: TestDatabase;
  let frequencies: DocumentFrequencies;

  beforeEach(async () => {
    test = await createTestDatabase();
    frequencies = new DocumentFrequencies(test.database);
  });

  afterEach(() => test.drop());

  const records = async (): Promise<number> => {
    await frequencies.refresh();
    return frequencies.cardinalities.records;
  };

  it('are those of an empty database before PostgreSQL has analyzed it', async () => {
    expect(await records()).toBe(0);
  });

  it('are read when it has, and when it has forgotten that it did, as after a crash', async () => {
    await storeRecords(test.database, [aRecord(), aRecord()]);
    expect(await records()).toBe(0);
    await test.database.query(sql`analyze event_search`);
    expect(await records()).toBe(2);
    await test.database.query(sql`select pg_stat_reset()`);
    frequencies = new DocumentFrequencies(test.database);
    expect(await records()).toBe(2);
  });

  it('count instants that many records share', async () => {
    const createdAt = anInstant('2026-01-02T03:04:05.678Z');
    await storeRecords(test.database, [aRecord({ createdAt }), aRecord({ createdAt }), aRecord({ createdAt })]);
    await test.database.query(sql`analyze event_search`);
    await frequencies.refresh();
    const ofInstants = (fromMs: number, beforeMs: number): number =>
      frequencies.cardinalities.ofInstants('created_at', fromMs, beforeMs);
    const ms = Date.parse(createdAt);
    expect([ofInstants(ms, ms + 1), ofInstants(ms - 1, ms), ofInstants(ms + 1, ms + 2)]).toEqual([3, 0, 0]);
  });

  it('are read again before a search uses them, after the server has changed (Q-4)', async () => {
    await storeRecords(test.database, [aRecord(), aRecord()]);
    await test.database.query(sql`analyze event_search`);
    await frequencies.refresh();
    test.database.primary.meet('another server');
    await expect(frequencies.current(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(await frequencies.current()).toMatchObject({ records: 2 });
  });
});
