import { readFile } from 'node:fs/promises';
import type { Place } from '../../src/kernel/domain/location.js';
import { Hierarchy } from '../../src/auth/locations/hierarchy-cache.js';
import { parseLocationsFile } from '../../src/auth/locations/import-locations.js';
import { parseEventRecord } from '../../src/events/records/parse-event-record.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { searchRecords } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';

const ROOT = new URL('../../', `file://${__filename}`);
const textOf = (path: string): Promise<string> => readFile(new URL(path, ROOT), 'utf8');

/** A query of the guide, and what the guide says that it finds. */
const EXAMPLE = /```json\n([\s\S]*?)```\n\nFinds: (.*)/g;
const SORT = /```json\n(\[[\s\S]*?)```/;
/** The day on which the guide was written: `timePeriod` counts back from it. */
const NOW = new Date('2026-04-01T12:00:00.000Z');

describe('the guide to queries', () => {
  let test: TestDatabase;
  let guide: string;
  let hierarchy: Hierarchy;
  const trackingIds = new Map<string, string>();

  beforeAll(async () => {
    test = await createTestDatabase();
    guide = await textOf('docs/reference/search-requests.md');
    const places: unknown = JSON.parse(await textOf('examples/queries/locations.json'));
    const filed = parseLocationsFile(places, new Map<never, Place>());
    hierarchy = new Hierarchy(filed.map(({ place }) => place));
    const lines = (await textOf('examples/queries/records.ndjson')).trimEnd().split('\n');
    const records = lines.map((line) => {
      const parsed = parseEventRecord(JSON.parse(line));
      if (parsed.kind === 'faulty') throw new Error(JSON.stringify(parsed.issues));
      return parsed.value;
    });
    for (const { id, trackingId } of records) trackingIds.set(id, trackingId);
    await storeRecords(test.database, records);
  });

  afterAll(() => test.drop());

  const found = async (body: object): Promise<readonly (string | undefined)[]> => {
    const below = (id: string) => hierarchy.below(id);
    const { ids } = await searchRecords(test.database, body, { now: NOW, below });
    return ids.map((id) => trackingIds.get(id));
  };

  it('says of each example what it finds', async () => {
    const examples = [...guide.matchAll(EXAMPLE)];
    expect(examples.length).toBeGreaterThan(30);
    const told = examples.map(([, query = '', finds = '']) => ({
      query,
      finds: [...finds.matchAll(/\w+/g)].map(String),
    }));
    const seen: typeof told = [];
    for (const { query } of told) {
      seen.push({ query, finds: [...(await found({ query: JSON.parse(query) as object }))].map(String).sort() });
    }
    expect(seen).toEqual(told);
  });

  it('sorts as it shows', async () => {
    const sort: unknown = JSON.parse(SORT.exec(guide)?.[1] ?? '');
    const everything = { clauses: [{ createdAt: { type: 'range', gte: '2026-01-01', lte: '2026-12-31' } }] };
    expect(await found({ query: everything, sort })).toEqual(['BARAKA', 'AMINA1', 'CHIPO3']);
  });
});
