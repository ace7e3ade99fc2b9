import { sql } from '../../src/sql/sql.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';

describe('a connection of the pool', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });

  afterAll(() => test.drop());

  it('plans and sorts as searches need it, whatever the server is set to', async () => {
    const rows = await test.database.query(sql`
      select current_setting('jit') as jit, current_setting('random_page_cost')::float8 <= 1.1 as "isCheap",
             pg_size_bytes(current_setting('work_mem')) >= pg_size_bytes('32MB') as "hasRoom"`);
    expect(rows).toEqual([{ jit: 'off', isCheap: true, hasRoom: true }]);
  });
});
