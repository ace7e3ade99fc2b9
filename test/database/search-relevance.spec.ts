import type { DeclarationValue } from '../../src/kernel/domain/declaration.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { anInstant } from '../support/builders/an-instant.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { searchRecords } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';
import { exact, fuzzy } from '../support/value-conditions.js';

describe('the order of relevance (S-12)', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });

  afterEach(() => test.database.query(sql`truncate event cascade`));

  afterAll(() => test.drop());

  const older = anInstant('2026-01-01T00:00:00.000Z');
  const newer = anInstant('2026-01-02T00:00:00.000Z');
  const named = (firstname: string, surname: string, changes: Partial<EventRecord> = {}): EventRecord =>
    aRecord({ updatedAt: older, declaration: { name: { firstname, surname } }, ...changes });

  /** Stores the records in an order of their own, and tells in which order, by number, they are found. */
  async function found(records: readonly EventRecord[], body: object): Promise<readonly number[]> {
    await storeRecords(test.database, records.toReversed());
    const { ids } = await searchRecords(test.database, body);
    return ids.map((id) => records.findIndex((record) => record.id === id));
  }

  it('sums the edits of the words, each at its best, then goes by time', async () => {
    const records = [
      named('Musonda', 'Banda'),
      named('Musonda Muzonda', 'Bandaa', { updatedAt: newer }),
      named('Musunda', 'Banda'),
      named('Muzunda', 'Bandaa', { updatedAt: newer }),
      named('Ana', 'Banda'),
    ];
    const query = { clauses: [{ data: { name: fuzzy('Musonda Banda') } }] };
    expect(await found(records, { query })).toEqual([0, 1, 2, 3]);
  });

  it('gives way to an order that is asked for', async () => {
    const records = [named('Musunda', 'Banda', { updatedAt: newer }), named('Musonda', 'Banda')];
    const query = { clauses: [{ data: { name: fuzzy('Musonda') } }] };
    expect(await found(records, { query, sort: [{ field: 'updatedAt', direction: 'desc' }] })).toEqual([0, 1]);
  });

  it('sums over the conditions of an AND, and takes the cheapest clause of an OR that holds', async () => {
    const records = [
      named('Musunda', 'Other', { trackingId: 'AAAAAA' }),
      named('Musunda', 'Banda'),
      named('Muzunda', 'Banda', { updatedAt: newer }),
      named('Musnuda', 'Bandaa', { updatedAt: newer }),
      // Two edits by one clause, one by another.
      named('Musnuda', 'Banda Chibwe', { updatedAt: newer }),
    ];
    const query = {
      type: 'or',
      clauses: [
        { trackingId: exact('AAAAAA') },
        { data: { name: fuzzy('Chibwa') } },
        { type: 'and', clauses: [{ data: { name: fuzzy('Musonda') } }, { data: { name: fuzzy('Banda') } }] },
      ],
    };
    expect(await found(records, { query })).toEqual([0, 4, 1, 2, 3]);
  });

  it('takes the best member of a list, of those that satisfy the whole map', async () => {
    const person = (name: string, role: string): DeclarationValue => ({ data: { name, role } });
    const records = [
      aRecord({
        updatedAt: older,
        declaration: { people: [person('Muzonda', 'witness'), person('Muzunda', 'witness')] },
      }),
      aRecord({
        updatedAt: newer,
        declaration: { people: [person('Musonda', 'parent'), person('Muzunda', 'witness')] },
      }),
    ];
    const map = { data: { name: fuzzy('Musonda'), role: exact('witness') } };
    expect(await found(records, { query: { clauses: [{ data: { people: map } }] } })).toEqual([0, 1]);
  });

  it('takes the best field where any will do', async () => {
    const records = [
      aRecord({ updatedAt: older, declaration: { a: 'Muzunda', b: 'Musonda' } }),
      aRecord({ updatedAt: newer, declaration: { a: 'Muzonda' } }),
    ];
    expect(await found(records, { query: { clauses: [{ data: fuzzy('Musonda') }] } })).toEqual([0, 1]);
  });
});
