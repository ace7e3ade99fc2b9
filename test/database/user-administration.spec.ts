import { UserDirectory } from '../../src/auth/users/user-directory.js';
import type { UserView } from '../../src/auth/users/user-view.js';
import { sql } from '../../src/kernel/sql/sql.js';
import {
  type AdministeredUsers,
  administerUsers,
  aUser,
  COLLEAGUES,
  DISTRICT,
  ELSEWHERE,
  OFFICE,
} from '../support/administered-users.js';
import { aUuid } from '../support/builders/a-uuid.js';
import type { Asking } from '../support/user-routes.js';

let users: AdministeredUsers;
let national: Asking;
let local: Asking;
beforeAll(async () => {
  users = await administerUsers();
  national = users.national;
  local = await users.asUser('LOCAL_ADMIN');
});
afterAll(() => users.close());

const created = (order?: object): Promise<UserView> => users.created(order);
const query = (statement: ReturnType<typeof sql>) => users.database.database.query(statement);

const audited = (id: string) =>
  query(sql`
    select client_id as by, operation, request_data as request from audit_log
     where operation like 'user.%' and response_summary ->> 'userId' = ${id} order by created_at`);
const rowsOf = (table: ReturnType<typeof sql>, id: string) => query(sql`select from ${table} where user_id = ${id}`);

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

  it.each([
    [{ firstname: 'Sukarno' }, { firstname: 'Sukarno', surname: '' }],
    [
      { firstname: '', surname: 'Thant' },
      { firstname: '', surname: 'Thant' },
    ],
  ])('creates a user who has one name alone: %j', async (name, shown) => {
    const { id } = await created();
    expect(await created({ name })).toMatchObject({ name: shown });
    expect((await national('PATCH', `/users/${id}`, { name })).body).toMatchObject({ name: shown });
  });

  const NO_NAME = 'must have a firstname or a surname';
  it.each([
    [{}, `name: ${NO_NAME}`],
    [{ firstname: '', surname: '' }, `name: ${NO_NAME}`],
    [{ firstname: '\u200b \u3164' }, expect.stringMatching(/^name.firstname: must be visible text .*, or empty$/)],
  ])('creates none without a name that shows: %j', async (name, message: unknown) => {
    const { status, body } = await national('POST', '/users', aUser({ name }));
    expect([status, body]).toEqual([400, expect.objectContaining({ issues: [{ message }] })]);
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
          `name: ${NO_NAME}`,
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
    expect(await refused(await users.asUser('CLERK'), {})).toEqual([403, 'Insufficient access']);
  });
});

describe('PATCH /users/{id}', () => {
  it('changes what is given, which holds at once, and says so in the audit log', async () => {
    const { id, createdAt, ...user } = await created({ email: 'before@example.org', mobile: '0955' });
    const change = { username: 'Renamed', role: 'REGISTRAR', primaryOfficeId: COLLEAGUES, email: null };
    const { status, body } = await national('PATCH', `/users/${id}`, change);
    const updatedAt = expect.any(String) as string;
    expect({ status, body }).toEqual({ status: 200, body: { ...user, ...change, id, createdAt, updatedAt } });
    expect(users.service.app.get(UserDirectory, { strict: false }).find(id)).toMatchObject({
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

  it('ends what was sent to a former number', async () => {
    const { id } = await created({ mobile: '0988' });
    expect(await rowsOf(sql`recovery_link`, id)).toHaveLength(1);
    await national('PATCH', `/users/${id}`, { mobile: null });
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
    await query(sql`update user_account set role = 'GONE' where user_id = ${clerk.id}`);
    expect(await patched(clerk.id, { email: 'mine@example.org' })).toBe(403);
    const { id } = await created({ primaryOfficeId: ELSEWHERE });
    expect(await patched(id, { name })).toBe(404);
    // He may read what he declared himself, and not what another did.
    const declarer = (await local('POST', '/users', aUser({ role: 'DECLARER' }))).body as UserView;
    expect(await patched(declarer.id, { email: 'mine@example.org' })).toBe(403);
    expect((await local('POST', `/users/${declarer.id}/reset-password`)).status).toBe(403);
  });
});

describe('a user whom no scope of the caller reaches', () => {
  const refusal = (status: number, code: string, message: string) => ({ status, body: { code, message } });

  it('is as if there were none, whatever is to be done', async () => {
    const { id } = await created({ primaryOfficeId: ELSEWHERE, password: 'correct horse' });
    const none = refusal(404, 'NOT_FOUND', `User not found with ID: ${id}`);
    for (const what of ['deactivate', 'activate', 'reset-password']) {
      expect(await local('POST', `/users/${id}/${what}`)).toEqual(none);
    }
    expect(await local('PATCH', `/users/${id}`, { mobile: '0999' })).toEqual(none);
    expect(await national('GET', `/users/${id}`)).toMatchObject({ body: { status: 'active', mobile: null } });
    expect(await query(sql`select password_hash is null as "isTaken" from user_account where user_id = ${id}`)).toEqual(
      [{ isTaken: false }],
    );
  });

  it('may be read alone by who may change others, to whose role he cannot bring one of these', async () => {
    const scope = ['record.search', 'record.register', 'user.read', 'type=user.edit&role=CLERK'];
    const ofClerks = users.asking(await users.issuer.token({ sub: 'grace', scope }));
    const [clerk, registrar] = [await created(), await created({ role: 'REGISTRAR' })];
    expect((await ofClerks('PATCH', `/users/${clerk.id}`, { mobile: '0944' })).status).toBe(200);
    expect(await ofClerks('PATCH', `/users/${clerk.id}`, { role: 'REGISTRAR' })).toEqual(
      refusal(403, 'FORBIDDEN', 'No scope of the caller permits this role in this office'),
    );
    const readAlone = refusal(403, 'FORBIDDEN', 'No scope of the caller permits a change of this user');
    for (const what of ['deactivate', 'activate', 'reset-password']) {
      expect(await ofClerks('POST', `/users/${registrar.id}/${what}`)).toEqual(readAlone);
    }
    expect(await ofClerks('GET', `/users/${registrar.id}`)).toMatchObject({ body: { status: 'pending' } });
  });
});

describe('POST /users/{id}/deactivate and activate', () => {
  it('ends the sessions, steps and links of a user, and lets him in again with his password', async () => {
    const { id } = await created({ password: 'correct horse' });
    const token = await users.issuer.token({ sub: id, role: 'CLERK', scope: [] });
    const statusNow = async () => (await users.asking(token)('GET', '/config')).status;
    await query(sql`
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
    expect(await posted(await users.asUser('CLERK'), 'deactivate')).toBe(403);
  });
});
