import { CLI } from '../../src/audit/audit-entry.js';
import { UserDirectory } from '../../src/auth/users/user-directory.js';
import { Users } from '../../src/auth/users/users.js';
import type { UserView } from '../../src/auth/users/user-view.js';
import type { Uuid } from '../../src/domain/uuid.js';
import { sql } from '../../src/sql/sql.js';
import type { Service } from '../support/auth-service.js';
import { serve } from '../support/auth-service.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { TokenIssuer } from '../support/token-issuer.js';
import type { Asking } from '../support/user-routes.js';
import { askingAt, ROLES } from '../support/user-routes.js';

const [DISTRICT, OFFICE, COLLEAGUES, ELSEWHERE] = [aUuid(1), aUuid(2), aUuid(3), aUuid(4)];
const issuer = new TokenIssuer();
let database: TestDatabase;
let service: Service;
let national: Asking;
let local: Asking;
let asking: (token: string) => Asking;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.database.query(sql`
    insert into place (id, kind, name, part_of, location_type)
    values (${DISTRICT}, 'administrativeArea', 'Ibombo', null, null), (${OFFICE}, 'location', 'One', ${DISTRICT}, null),
           (${COLLEAGUES}, 'location', 'Two', ${DISTRICT}, null), (${ELSEWHERE}, 'location', 'Three', null, null)`);
  service = await serve(database, { JWT_PRIVATE_KEY: issuer.pem, ROLES: JSON.stringify(ROLES) });
  asking = await askingAt(service);
  national = asking(await issuer.token({ sub: 'cli' }));
  local = await asUser('LOCAL_ADMIN');
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

let count = 0;
const aUser = (order: object = {}) => ({
  username: `user${(count += 1)}`,
  name: { firstname: 'Kennedy', surname: 'Mweene' },
  role: 'CLERK',
  primaryOfficeId: OFFICE,
  ...order,
});

async function asUser(role: string, primaryOfficeId: Uuid = OFFICE): Promise<Asking> {
  const user = { ...aUser(), role, primaryOfficeId, passwordHash: '$argon2' };
  const { id } = await service.app.get(Users, { strict: false }).create(user, CLI);
  return asking(await issuer.token({ sub: id, role, scope: [] }));
}

async function created(order: object = {}): Promise<UserView> {
  const { status, body } = await national('POST', '/users', aUser(order));
  expect(status).toBe(201);
  return body as UserView;
}

const audited = (id: string) =>
  database.database.query(sql`
    select client_id as by, operation, request_data as request from audit_log
     where operation like 'user.%' and response_summary ->> 'userId' = ${id} order by created_at`);
const rowsOf = (table: ReturnType<typeof sql>, id: string) =>
  database.database.query(sql`select from ${table} where user_id = ${id}`);

describe('POST /users', () => {
  it('creates a user, active with a password, and shows no secret', async () => {
    const order = aUser({ email: 'kennedy@example.org', mobile: '+260911111111' });
    const { status, body } = await national('POST', '/users', { ...order, password: 'correct horse' });
    const time = expect.stringMatching(/^\d{4}-.*Z$/) as string;
    const id = expect.any(String) as string;
    expect({ status, body }).toEqual({
      status: 201,
      body: { ...order, id, status: 'active', createdAt: time, updatedAt: time },
    });
    const user = body as UserView;
    expect(await national('GET', `/users/${user.id}`)).toEqual({ status: 200, body });
    expect(await created()).toMatchObject({ status: 'pending', email: null, mobile: null });
  });

  it('names all faults of a body, and what another user has', async () => {
    expect(
      await national('POST', '/users', {
        username: 'a b',
        name: { firstname: '' },
        role: 7,
        primaryOfficeId: 'x',
        email: '@',
        mobile: 'x',
        password: 'short',
        admin: true,
      }),
    ).toEqual({
      status: 400,
      body: {
        code: 'BAD_REQUEST',
        message: 'Input validation failed',
        issues: [
          expect.stringMatching(/^admin: is not a known key; allowed: /),
          expect.stringMatching(/^username: must be 1 to 64 letters/),
          expect.stringMatching(/^name.firstname: must be text of 1 to 256/),
          'name.surname: is required',
          'role: must be a string',
          'primaryOfficeId: must be a UUID',
          'email: must be an e-mail address',
          'mobile: must be 4 to 20 digits, which a `+` may precede',
          'password: must be text of 8 to 256 characters',
        ].map((message: unknown) => ({ message })),
      },
    });
    for (const [password, fault] of [
      ['Password123', 'is one of the passwords that are tried first'],
      ['Grace.Zulu1', 'is made of the names of its owner, which are tried first'],
    ]) {
      const person = { ...aUser(), username: 'g.zulu', name: { firstname: 'Grace', surname: 'Zulu' }, password };
      expect(await national('POST', '/users', person)).toMatchObject({
        status: 400,
        body: { issues: [{ message: `password: ${fault}` }] },
      });
    }
    await created({ username: 'Zoë', email: 'zoë@example.org' });
    for (const order of [{ username: 'ZOE\u0308' }, { email: 'Zoe\u0308@example.org' }]) {
      expect(await national('POST', '/users', aUser(order))).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    }
    for (const order of [{ role: 'KING' }, { primaryOfficeId: DISTRICT }, { email: 'a@\ud800.org' }]) {
      expect(await national('POST', '/users', aUser(order))).toMatchObject({ status: 400 });
    }
  });

  it('is for the post alone that the caller may give', async () => {
    const refused = async (by: Asking, order: object) => {
      const { status, body } = await by('POST', '/users', aUser(order));
      return [status, (body as { message: string }).message];
    };
    expect(await local('POST', '/users', aUser({ primaryOfficeId: COLLEAGUES }))).toMatchObject({ status: 201 });
    expect(await refused(local, { primaryOfficeId: ELSEWHERE })).toEqual([
      403,
      'No scope of the caller permits this role in this office',
    ]);
    const lacking = 'Nobody grants a role with a scope that he does not hold';
    expect(await refused(local, { role: 'REGISTRAR' })).toEqual([
      403,
      `${lacking}: "record.search", "record.register"`,
    ]);
    expect(await refused(local, { role: 'NATIONAL_ADMIN' })).toEqual([403, `${lacking}: "natlsysadmin"`]);
    expect(await refused(await asUser('CLERK'), {})).toEqual([403, 'Insufficient access']);
  });
});

describe('GET /users', () => {
  const names = (body: unknown) => (body as { results: UserView[] }).results.map(({ username }) => username);

  it('lists those whom the caller may read, by their names, with their number', async () => {
    const there = await asUser('LOCAL_ADMIN', ELSEWHERE);
    const [a, b, c] = [
      await created({ username: 'list-b', primaryOfficeId: COLLEAGUES, role: 'REGISTRAR' }),
      await created({ username: 'List-a', primaryOfficeId: COLLEAGUES, role: 'REGISTRAR' }),
      await created({ username: 'list-c', primaryOfficeId: ELSEWHERE, role: 'REGISTRAR' }),
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
});

describe('PATCH /users/{id}', () => {
  it('changes what is given, which holds at once, and says so in the audit log', async () => {
    const { id, createdAt, ...user } = await created({ email: 'before@example.org', mobile: '0955' });
    const change = { username: 'Renamed', role: 'REGISTRAR', primaryOfficeId: COLLEAGUES, email: null };
    const { status, body } = await national('PATCH', `/users/${id}`, change);
    const updatedAt = expect.any(String) as string;
    expect({ status, body }).toEqual({ status: 200, body: { ...user, ...change, id, createdAt, updatedAt } });
    expect(service.app.get(UserDirectory, { strict: false }).find(id)).toMatchObject({
      role: 'REGISTRAR',
      officeId: COLLEAGUES,
    });
    expect(await national('PATCH', `/users/${id}`, {})).toEqual({ status: 200, body });
    expect((await audited(id)).slice(1)).toEqual([
      {
        by: 'cli',
        operation: 'user.update',
        request: {
          id,
          changed: {
            username: { from: user.username, to: 'Renamed' },
            role: { from: 'CLERK', to: 'REGISTRAR' },
            primaryOfficeId: { from: OFFICE, to: COLLEAGUES },
            email: true,
          },
        },
      },
    ]);
  });

  it('loses none of two changes at once', async () => {
    const { id } = await created();
    await Promise.all([
      national('PATCH', `/users/${id}`, { role: 'REGISTRAR' }),
      national('PATCH', `/users/${id}`, { primaryOfficeId: COLLEAGUES }),
      national('PATCH', `/users/${id}`, { mobile: '0966' }),
    ]);
    const { body } = await national('GET', `/users/${id}`);
    expect(body).toMatchObject({ role: 'REGISTRAR', primaryOfficeId: COLLEAGUES, mobile: '0966' });
  });

  it('ends what was sent to a former address', async () => {
    const { id } = await created({ email: 'old@example.org' });
    // The link to the first password.
    await national('PATCH', `/users/${id}`, { role: 'REGISTRAR' });
    expect(await rowsOf(sql`recovery_link`, id)).toHaveLength(1);
    await national('PATCH', `/users/${id}`, { email: 'new@example.org' });
    expect(await rowsOf(sql`recovery_link`, id)).toEqual([]);
  });

  it('refuses what another user has, unknown posts, and what is nobody’s', async () => {
    const [one, other] = [await created(), await created({ mobile: '0977' })];
    const patched = async (change: object, id: string = one.id) =>
      (await national('PATCH', `/users/${id}`, change)).status;
    expect(await patched({ username: other.username.toUpperCase() })).toBe(409);
    expect(await patched({ mobile: '0977' })).toBe(409);
    expect(await patched({ role: 'KING' })).toBe(400);
    expect(await patched({ primaryOfficeId: DISTRICT })).toBe(400);
    expect(await patched({ name: null })).toBe(400);
    expect(await patched({ password: 'correct horse' })).toBe(400);
    expect(await patched({}, aUuid(99))).toBe(404);
    expect(await patched({}, 'x')).toBe(400);
  });

  it('gives nobody, by a role, an office or an address, a scope that the caller does not hold', async () => {
    const [clerk, registrar] = [await created(), await created({ role: 'REGISTRAR' })];
    const patched = async (id: string, change: object) => (await local('PATCH', `/users/${id}`, change)).status;
    const name = { firstname: 'K', surname: 'M' };
    expect(await patched(clerk.id, { email: 'clerk@example.org', primaryOfficeId: COLLEAGUES })).toBe(200);
    expect(await patched(clerk.id, { primaryOfficeId: ELSEWHERE })).toBe(403);
    expect(await patched(clerk.id, { role: 'REGISTRAR' })).toBe(403);
    expect(await patched(registrar.id, { name })).toBe(200);
    expect(await patched(registrar.id, { email: 'mine@example.org' })).toBe(403);
    // Nor can he make less of an account first, and have it when it becomes more again.
    expect(await patched(registrar.id, { role: 'CLERK' })).toBe(403);
    await database.database.query(sql`update user_account set role = 'GONE' where user_id = ${clerk.id}`);
    expect(await patched(clerk.id, { email: 'mine@example.org' })).toBe(403);
    const { id } = await created({ primaryOfficeId: ELSEWHERE });
    expect(await patched(id, { name })).toBe(404);
    // He may read what he declared himself, and not what another did.
    const declarer = (await local('POST', '/users', aUser({ role: 'DECLARER' }))).body as UserView;
    expect(await patched(declarer.id, { email: 'mine@example.org' })).toBe(403);
    expect((await local('POST', `/users/${declarer.id}/reset-password`)).status).toBe(403);
  });
});

describe('POST /users/{id}/deactivate and activate', () => {
  it('ends the sessions, steps and links of a user, and lets him in again with his password', async () => {
    const { id } = await created({ password: 'correct horse' });
    const token = await issuer.token({ sub: id, role: 'CLERK', scope: [] });
    const statusNow = async () => (await asking(token)('GET', '/config')).status;
    await database.database.query(sql`
      insert into session_family (family_id, user_id, current_jti, expires_at)
      values (gen_random_uuid(), ${id}, gen_random_uuid(), now() + interval '1 hour')`);
    expect(await statusNow()).toBe(200);
    const twice = async (what: string) => [
      await national('POST', `/users/${id}/${what}`),
      await national('POST', `/users/${id}/${what}`),
    ];
    const answer = (status: string) =>
      expect.objectContaining({ status: 200, body: expect.objectContaining({ id, status }) as unknown }) as unknown;
    expect(await twice('deactivate')).toEqual([answer('deactivated'), answer('deactivated')]);
    expect([await statusNow(), await rowsOf(sql`session_family`, id)]).toEqual([401, []]);
    expect(await twice('activate')).toEqual([answer('active'), answer('active')]);
    expect(await statusNow()).toBe(200);
    expect(await audited(id)).toMatchObject([
      { operation: 'user.create' },
      { by: 'cli', operation: 'user.deactivate', request: { id } },
      { by: 'cli', operation: 'user.activate', request: { id } },
    ]);
  });

  it('makes a user without a password pending again', async () => {
    const { id } = await created();
    expect(await national('POST', `/users/${id}/activate`)).toMatchObject({ status: 200, body: { status: 'pending' } });
    await national('POST', `/users/${id}/deactivate`);
    expect(await national('POST', `/users/${id}/activate`)).toMatchObject({ status: 200, body: { status: 'pending' } });
  });

  it('lets nobody activate a user with a scope that he does not hold', async () => {
    const { id } = await created({ role: 'REGISTRAR' });
    const posted = async (by: Asking, what: string, of: string = id) =>
      (await by('POST', `/users/${of}/${what}`)).status;
    expect([await posted(local, 'deactivate'), await posted(local, 'activate')]).toEqual([200, 403]);
    expect(await posted(national, 'activate')).toBe(200);
    expect(await posted(national, 'deactivate', aUuid(99))).toBe(404);
    expect(await posted(await asUser('CLERK'), 'deactivate')).toBe(403);
  });
});
