import { ChangeFeed } from '../../src/platform/database/connection/change-feed.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { OperationPlaces } from '../../src/events/operations/operation-places.js';
import { HierarchyCache } from '../../src/auth/locations/hierarchy-cache.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

let test: TestDatabase;
let feed: ChangeFeed;
let places: OperationPlaces;
beforeAll(async () => {
  test = await createTestDatabase();
  feed = new ChangeFeed(test.database.primary, () => undefined);
  places = new OperationPlaces(new HierarchyCache(test.database, feed), test.database);
  await feed.start();
});
afterAll(async () => {
  await feed.stop();
  await test.drop();
});

const client = { subject: 'a client', userType: 'system', scopes: [], grants: [] } as const;
const add = (id: Uuid, kind: 'location' | 'administrativeArea') =>
  test.database.query(sql`insert into place (id, kind, name, part_of) values (${id}, ${kind}, 'Name', null)`);

describe('where a client does something', () => {
  it('may be a location of which this process has not heard yet', async () => {
    const office = aUuid();
    await add(office, 'location');
    expect(await places.placeOf(client, office)).toBe(office);
  });

  it('is no administrative area, and no place that nobody has added', async () => {
    const [area, unknown] = [aUuid(), aUuid()];
    await add(area, 'administrativeArea');
    for (const id of [area, unknown]) {
      await expect(places.placeOf(client, id)).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        message: 'createdAtLocation must be a valid location id',
      });
    }
  });
});
