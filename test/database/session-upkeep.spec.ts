import { Jobs } from '../../src/platform/jobs/jobs.js';
import { SessionUpkeep } from '../../src/auth/sessions/session-upkeep.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { addUser } from '../support/a-user.js';

const TABLES = [
  ...['session_family', 'login_step', 'recovery_link', 'recovery_request'],
  ...['revoked_token', 'spent_assertion'],
];

describe('the upkeep of sessions', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('deletes what has expired, however much it is, and nothing else, also when two do it', async () => {
    const { userId } = await addUser(database);
    const clientId = aUuid();
    await database.database.query(
      sql`insert into system_client (client_id, name, scopes, secret_hash, sha_secret_sealed, created_by)
          values (${clientId}, 'a', '{}', ''::bytea, '', 'cli')`,
    );
    // Three are good for another hour. A clock that is behind takes the next one for good, and one that is set back far
    // the one after that, if it is an assertion.
    const rows = sql`(select n, sha256(n::text::bytea) as hash, gen_random_uuid() as id,
        now() + case when n <= 3 then interval '1 hour' when n = 4 then interval '-20 seconds'
                     when n = 5 then interval '-9 minutes' else interval '-11 minutes' end as until
      from generate_series(1, 2500) n) r`;
    for (const statement of [
      sql`insert into session_family (family_id, user_id, current_jti, expires_at) select id, ${userId}, id, until from ${rows}`,
      sql`insert into login_step (nonce_hash, flow, user_id, expires_at) select hash, 'login', ${userId}, until from ${rows}`,
      sql`insert into recovery_link (token_hash, flow, user_id, expires_at) select hash, 'password', ${userId}, until from ${rows}`,
      sql`insert into recovery_request (request_id, flow, email, network, expires_at) select id, 'password', 'a@b.co', '', until from ${rows}`,
      sql`insert into revoked_token (id, expires_at) select id, until from ${rows}`,
      sql`insert into spent_assertion (client_id, jti_hash, expires_at) select ${clientId}, hash, until from ${rows}`,
    ]) {
      await database.database.query(statement);
    }
    const upkeep = new SessionUpkeep(database.database, new Jobs());
    await Promise.all([upkeep.run(), upkeep.run()]);
    const counted = await database.database.query(sql`
      select (select count(*) from session_family)::int as session_family, (select count(*) from login_step)::int as login_step,
             (select count(*) from recovery_link)::int as recovery_link, (select count(*) from revoked_token)::int as revoked_token,
             (select count(*) from recovery_request)::int as recovery_request,
             (select count(*) from spent_assertion)::int as spent_assertion`);
    expect(counted).toEqual([{ ...Object.fromEntries(TABLES.map((table) => [table, 4])), spent_assertion: 5 }]);
  });
});
