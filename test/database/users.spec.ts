import { CLI } from '../../src/platform/audit/audit-entry.js';
import { SessionFamilies } from '../../src/auth/sessions/session-families.js';
import { UserChanges } from '../../src/auth/user-administration/user-changes.js';
import { UserDirectory } from '../../src/auth/users/user-directory.js';
import { type NewUser, Users } from '../../src/auth/users/users.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { ServiceError } from '../../src/kernel/errors/service-error.js';
import { type Sql, sql } from '../../src/kernel/sql/sql.js';
import { serve, type Service } from '../support/auth-service.js';
import { untilLocksAreAwaited } from '../support/database-activity.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { TokenIssuer } from '../support/token-issuer.js';

const issuer = new TokenIssuer();
const OFFICE = aUuid(1);
const AREA = aUuid(2);

let database: TestDatabase;
let one: Service;
let other: Service;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.database.query(sql`
    insert into place (id, kind, name, part_of, location_type)
    values (${AREA}, 'administrativeArea', 'Ibombo', null, null), (${OFFICE}, 'location', 'Office', ${AREA}, 'CRVS_OFFICE')`);
  one = await serve(database, { JWT_PRIVATE_KEY: issuer.pem });
  other = await serve(database);
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await database.drop();
});

const users = (): Users => one.app.get(Users, { strict: false });
const directoryOf = ({ app }: Service): UserDirectory => app.get(UserDirectory, { strict: false });

let count = 0;
function aUser(order: Partial<NewUser> = {}): NewUser {
  count += 1;
  return {
    username: `user${count}`,
    name: { firstname: 'Kennedy', surname: 'Mweene' },
    role: 'LOCAL_REGISTRAR',
    primaryOfficeId: OFFICE,
    ...order,
  };
}

describe('Users', () => {
  it('creates a user, pending without a password, and writes its audit row', async () => {
    const order = aUser({ email: 'K.Mweene@example.org', mobile: '+260911111111' });
    const user = await users().create(order, CLI);
    expect(user).toEqual({
      ...order,
      id: expect.any(String) as string,
      status: 'pending',
      createdAt: expect.any(Date) as Date,
      updatedAt: expect.any(Date) as Date,
    });
    expect(await users().find(user.id)).toEqual(user);
    const audited = await database.database.query(sql`
      select client_id as by, request_data as request, response_summary as outcome from audit_log
       where operation = 'user.create' and response_summary ->> 'userId' = ${user.id}`);
    expect(audited).toEqual([
      {
        by: 'cli',
        request: { username: order.username, role: order.role, primaryOfficeId: OFFICE },
        outcome: { userId: user.id, status: 'pending' },
      },
    ]);
  });

  it('finds a user with a password by his name in any letter case', async () => {
    const { id } = await users().create(aUser({ username: 'JOSE\u0301', passwordHash: '$argon2' }), CLI);
    for (const found of [await users().findByUsername('josé'), await users().findStored(id)]) {
      expect(found).toMatchObject({ id, username: 'JOSÉ', status: 'active', passwordHash: '$argon2' });
    }
    expect(await users().findByUsername('jose')).toBeUndefined();
  });

  it('says what another user has already', async () => {
    await users().create(aUser({ username: 'anna', email: 'anna@example.org', mobile: '0922' }), CLI);
    const refused = (order: Partial<NewUser>) => users().create(aUser(order), CLI);
    const taken = (what: string) => new ServiceError('CONFLICT', `Another user has this ${what}`);
    await expect(refused({ username: 'ANNA' })).rejects.toEqual(taken('user name'));
    await expect(refused({ email: 'Anna@example.org' })).rejects.toEqual(taken('e-mail address'));
    await expect(refused({ mobile: '0922' })).rejects.toEqual(taken('mobile number'));
  });

  const ALIKE = { code: 'BAD_REQUEST', issues: [{ message: 'username: looks like the name of another user' }] };

  it('refuses a name that looks like another, by scripts or by characters that show nothing, unless both are ASCII', async () => {
    const create = (username: string) => users().create(aUser({ username }), CLI);
    const { id } = await create('p.samba');
    for (const alike of ['р.samba', 'P.SАMBA', 'p.sa\u034fmba', '\u3164p.samba']) {
      await expect(create(alike)).rejects.toMatchObject(ALIKE);
    }
    // `rn` and `m` look alike, and everybody knows both from the keyboard.
    await create('p.sarnba');
    const changes = one.app.get(UserChanges, { strict: false });
    await expect(changes.update((await create('other')).id, { username: 'р.samba' }, CLI)).rejects.toMatchObject(ALIKE);
    expect(await changes.update(id, { username: 'P.Samba' }, CLI)).toMatchObject({ username: 'P.Samba' });
  });

  it('gives one of two names that look alike to those who ask at once', async () => {
    const orders = ['scope', 'ѕсоре'].map((username) => users().create(aUser({ username }), CLI));
    const outcomes = await Promise.allSettled(orders);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('gives a name to one of those who ask for it at once', async () => {
    const orders = ['Same', 'same', 'SAME', 'sAME'].map((username) => users().create(aUser({ username }), CLI));
    const outcomes = await Promise.allSettled(orders);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(refused).toEqual([0, 1, 2].map(() => new ServiceError('CONFLICT', 'Another user has this user name')));
  });

  it('refuses a role that is not configured, and an office that is no location', async () => {
    const refused = users().create(aUser({ role: 'KING', primaryOfficeId: AREA }), CLI);
    await expect(refused).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      issues: [
        { message: expect.stringMatching(/^role: must be one of HOSPITAL_CLERK, /) as string },
        { message: 'primaryOfficeId: must be the id of a location' },
      ],
    });
  });

  it('creates nobody when what belongs to it fails', async () => {
    const order = aUser();
    const refused = users().create(order, CLI, () => Promise.reject(new Error('no outbox')));
    await expect(refused).rejects.toThrow('no outbox');
    expect(await users().findByUsername(order.username)).toBeUndefined();
  });
});

describe('the directory', () => {
  const known = (service: Service, id: Uuid) => {
    const user = directoryOf(service).find(id);
    return user && { status: user.status, role: user.role, officeId: user.officeId };
  };

  it('knows a user at once in the process that created him, and soon in others', async () => {
    const { id } = await users().create(aUser(), CLI);
    const expected = { status: 'pending', role: 'LOCAL_REGISTRAR', officeId: OFFICE };
    expect(known(one, id)).toEqual(expected);
    await eventually('another process has heard of him', () => known(other, id) !== undefined);
    expect(known(other, id)).toEqual(expected);
    expect(directoryOf(one).find(aUuid(99))).toBeUndefined();
  });

  it('hears of every change of a row, whoever made it, also of one in a long transaction', async () => {
    const [first, second] = [await users().create(aUser(), CLI), await users().create(aUser(), CLI)];
    await database.database.transaction(async (transaction) => {
      await transaction.query(sql`update user_account set role = 'HOSPITAL_CLERK' where user_id = ${first.id}`);
      const later = database.database.query(
        sql`update user_account set status = 'deactivated' where user_id = ${second.id}`,
      );
      void later.catch(() => undefined);
      // The second waits for the first.
      await untilLocksAreAwaited(database.database, 1, 'advisory');
    });
    await eventually('both are known', () => {
      const roles = [one, other].map((service) => known(service, first.id)?.role);
      const statuses = [one, other].map((service) => known(service, second.id)?.status);
      return [...roles, ...statuses].join() === 'HOSPITAL_CLERK,HOSPITAL_CLERK,deactivated,deactivated';
    });
  });

  it('gives a user of a role that is configured no more no scope', async () => {
    const { id } = await users().create(aUser(), CLI);
    await database.database.query(sql`update user_account set role = 'GONE' where user_id = ${id}`);
    await directoryOf(one).refresh();
    expect(directoryOf(one).find(id)).toMatchObject({ role: 'GONE', scopes: [], grants: [] });
  });
});

describe('a token of a session', () => {
  const statusAt = async ({ url }: Service, path: string, token: string): Promise<number> =>
    (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })).status;
  const set = (id: Uuid, role: string, status: string) =>
    database.database.query(sql`update user_account set role = ${role}, status = ${status} where user_id = ${id}`);

  it('may do at once, in every process, what its user may do now, and nothing when he is deactivated', async () => {
    const { id } = await users().create(aUser({ passwordHash: '$argon2' }), CLI);
    // What it says of itself is what its user could do at the login.
    const token = await issuer.token({ sub: id, role: 'LOCAL_REGISTRAR', scope: ['natlsysadmin'] });
    for (const service of [one, other]) {
      expect(await statusAt(service, '/integrations', token)).toBe(403);
      expect(await statusAt(service, '/config', token)).toBe(200);
    }
    await set(id, 'NATIONAL_SYSTEM_ADMIN', 'active');
    for (const service of [one, other]) {
      await eventually('he is an administrator', async () => (await statusAt(service, '/integrations', token)) === 200);
    }
    for (const status of ['deactivated', 'pending']) {
      await set(id, 'NATIONAL_SYSTEM_ADMIN', 'active');
      for (const service of [one, other]) {
        await eventually('he is active', async () => (await statusAt(service, '/config', token)) === 200);
      }
      await set(id, 'NATIONAL_SYSTEM_ADMIN', status);
      for (const service of [one, other]) {
        await eventually(`he is ${status}`, async () => (await statusAt(service, '/config', token)) === 401);
      }
    }
  });

  it('is nobody’s when there is no such user, while one of the command line is whose it says', async () => {
    const claims = { sub: aUuid(98), scope: ['sysadmin'] };
    expect(await statusAt(one, '/config', await issuer.token({ ...claims, role: 'LOCAL_REGISTRAR' }))).toBe(401);
    expect(await statusAt(one, '/config', await issuer.token(claims))).toBe(200);
  });
});

describe('a deactivation', () => {
  it('waits for a login that is being finished, and ends the session that it begins', async () => {
    const { id } = await users().create(aUser({ passwordHash: '$argon2' }), CLI);
    await database.database.query(sql`
      insert into login_step (nonce_hash, flow, user_id, expires_at)
      values ('\\x01', 'login', ${id}, now() + interval '1 minute'), ('\\x02', 'login', ${id}, now() + interval '1 minute')`);
    let deactivated: Promise<unknown> | undefined;
    await database.database.transaction(async (transaction) => {
      await one.app.get(SessionFamilies, { strict: false }).begin({ userId: id }, transaction);
      deactivated = one.app.get(UserChanges, { strict: false }).setStatus(id, 'deactivated', CLI);
      await untilLocksAreAwaited(database.database);
      await transaction.query(sql`delete from login_step where nonce_hash = '\\x01'`);
    });
    await deactivated;
    const left = (table: Sql) => database.database.query(sql`select from ${table} where user_id = ${id}`);
    expect(await Promise.all([left(sql`login_step`), left(sql`session_family`)])).toEqual([[], []]);
  });
});
