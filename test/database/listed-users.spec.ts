import type { UserView } from '../../src/auth/users/user-view.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { type AdministeredUsers, administerUsers, COLLEAGUES, ELSEWHERE } from '../support/administered-users.js';
import type { Asking } from '../support/user-routes.js';

let users: AdministeredUsers;
beforeAll(async () => {
  users = await administerUsers();
});
afterAll(() => users.close());

describe('GET /users', () => {
  const names = (body: unknown) => (body as { results: UserView[] }).results.map(({ username }) => username);

  it('lists those whom the caller may read, by their names, with their number', async () => {
    const { national } = users;
    const [local, there] = [await users.asUser('LOCAL_ADMIN'), await users.asUser('LOCAL_ADMIN', ELSEWHERE)];
    const [a, b, c] = [
      await users.created({ username: 'list-b', primaryOfficeId: COLLEAGUES, role: 'REGISTRAR' }),
      await users.created({ username: 'List-a', primaryOfficeId: COLLEAGUES, role: 'REGISTRAR' }),
      await users.created({ username: 'list-c', primaryOfficeId: ELSEWHERE, role: 'REGISTRAR' }),
    ];
    const list = async (by: Asking, query: string) => {
      const { status, body } = await by('GET', `/users?role=REGISTRAR&${query}`);
      expect(status).toBe(200);
      return [...names(body), (body as { total: number }).total];
    };
    expect(await list(national, '')).toEqual([b.username, a.username, c.username, 3]);
    expect(await list(local, '')).toEqual([b.username, a.username, 2]);
    expect(await list(there, '')).toEqual([b.username, a.username, c.username, 3]);
    expect(await list(national, 'skip=1&count=1')).toEqual([a.username, 3]);
    expect(await list(national, 'skip=9007199254740991')).toEqual([3]);
    expect(await list(national, `officeId=${COLLEAGUES}&status=pending`)).toEqual([b.username, a.username, 2]);
    expect(await list(national, 'status=active')).toEqual([0]);
    const { body } = await national('GET', '/users?count=1001&skip=-1&status=gone&officeId=x&order=name');
    expect((body as { issues: object[] }).issues).toHaveLength(5);
    expect(await national('GET', '/users?role=a%00b')).toEqual({
      status: 400,
      body: {
        code: 'BAD_REQUEST',
        message: 'Input validation failed',
        issues: [{ message: 'role: must be text without U+0000 and without unpaired surrogates' }],
      },
    });
    expect(await local('GET', `/users/${c.id}`)).toEqual({
      status: 404,
      body: { code: 'NOT_FOUND', message: `User not found with ID: ${c.id}` },
    });
  });

  it('has fewer users than were asked for where their names are long, and goes on after as many as it has', async () => {
    const surname = '\u{10000}'.repeat(256);
    await users.database.database.query(sql`
      insert into user_account (user_id, username, username_key, firstname, surname, role, primary_office_id, status)
      select gen_random_uuid(), concat('long-', n), concat('long-', n), ${surname}, ${surname}, 'LONG_NAMES',
             ${COLLEAGUES}, 'deactivated' from generate_series(1, 600) n`);
    const pages: number[] = [];
    for (let skip = 0; skip < 600; skip += pages.at(-1) ?? 0) {
      const { body } = await users.national('GET', `/users?role=LONG_NAMES&skip=${skip}&count=1000`);
      expect((body as { total: number }).total).toBe(600);
      pages.push(names(body).length);
    }
    expect(pages).toEqual([510, 90]);
  });
});
