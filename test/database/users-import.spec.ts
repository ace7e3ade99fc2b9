import { Readable } from 'node:stream';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { Passwords } from '../../src/auth/users/passwords.js';
import {
  importUsers,
  type RejectedUser,
  type UserImportResult,
} from '../../src/auth/user-administration/import-users.js';
import { UserChanges } from '../../src/auth/user-administration/user-changes.js';
import { Users } from '../../src/auth/users/users.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { serve, type Service } from '../support/auth-service.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const OFFICE = aUuid(1);
const AREA = aUuid(2);

let database: TestDatabase;
let service: Service;
let app: NestFastifyApplication;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.database.query(sql`
    insert into place (id, kind, name, part_of, location_type)
    values (${AREA}, 'administrativeArea', 'Ibombo', null, null), (${OFFICE}, 'location', 'Office', ${AREA}, 'CRVS_OFFICE')`);
  service = await serve(database);
  app = service.app;
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

/** What becomes of the lines, and which of them are rejected. */
async function imported(
  ...lines: readonly (object | string)[]
): Promise<UserImportResult & { rejects: RejectedUser[] }> {
  const rejects: RejectedUser[] = [];
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const services = {
    registration: app.get(UserChanges, { strict: false }),
    users: app.get(Users, { strict: false }),
  };
  const counts = await importUsers(services, Readable.from([Buffer.from(text)]), CLI, {
    onRejected: (line) => void rejects.push(line),
    onProgress: () => undefined,
  });
  return { ...counts, rejects };
}

const KENNEDY = {
  username: 'k.mweene',
  name: { firstname: 'Kennedy', surname: 'Mweene' },
  role: 'LOCAL_REGISTRAR',
  primaryOfficeId: OFFICE,
  mobile: '+260911111111',
};

describe('an import of users', () => {
  it('creates one for each line: active with a password, which it hashes, and pending without', async () => {
    const clerk = {
      ...KENNEDY,
      username: 'Zoë.Bwalya',
      role: 'HOSPITAL_CLERK',
      email: 'zoe@example.org',
      mobile: undefined,
    };
    expect(await imported({ ...clerk, password: 'a long password' }, '', KENNEDY)).toEqual({
      ...{ imported: 2, unchanged: 0, rejected: 0, rejects: [] },
    });
    const users = app.get(Users, { strict: false });
    const [one, other] = [await users.findByUsername('zoë.bwalya'), await users.findByUsername('K.MWEENE')];
    expect([one?.username, one?.status, other?.status, other?.passwordHash]).toEqual([
      ...['Zoë.Bwalya', 'active', 'pending', null],
    ]);
    const passwords = app.get(Passwords, { strict: false });
    expect(await passwords.matches(one?.passwordHash ?? undefined, 'a long password')).toBe(true);
  });

  it('that is run again finishes what was interrupted, and changes nobody', async () => {
    const grace = { ...KENNEDY, username: 'g.zulu', mobile: undefined };
    expect(
      await imported(KENNEDY, grace, { ...KENNEDY, username: 'K.Mweene' }, { ...KENNEDY, role: 'HOSPITAL_CLERK' }),
    ).toEqual({
      ...{ imported: 1, unchanged: 1, rejected: 2 },
      rejects: [3, 4].map((line) => ({
        line,
        issues: [{ message: 'username: is that of another user, or of this one with other values' }],
        text: expect.any(String) as string,
      })),
    });
    expect(await app.get(Users, { strict: false }).findByUsername('k.mweene')).toMatchObject({
      role: 'LOCAL_REGISTRAR',
    });
  });

  it('that runs twice at the same time rejects nobody whom the other run has created', async () => {
    const clerks = Array.from({ length: 20 }, (_, at) => ({
      ...KENNEDY,
      username: `clerk.${at}`,
      mobile: `+26091200${at + 1_000}`,
    }));
    const [one, other] = await Promise.all([imported(...clerks), imported(...clerks)]);
    expect([one.rejects, other.rejects]).toEqual([[], []]);
    expect([one.imported + other.imported, one.unchanged + other.unchanged]).toEqual([20, 20]);
  });

  it('rejects a line with all its faults, never telling a password, and goes on', async () => {
    const { rejects, ...counts } = await imported(
      '{"username": ',
      '[]',
      {
        username: 'a b',
        name: { firstname: ' ' },
        role: 7,
        primaryOfficeId: 'Ibombo',
        email: 'x',
        mobile: '12',
        password: 'short',
        admin: true,
      },
      { ...KENNEDY, username: 'm.owen', role: 'KING', primaryOfficeId: AREA },
      { ...KENNEDY, username: 'n.one' },
      { ...KENNEDY, username: 'n.two', mobile: undefined, filler: 'x'.repeat(70_000) },
      { ...KENNEDY, username: 'n.three', mobile: undefined },
      { ...KENNEDY, username: 'k.mwеene', mobile: undefined },
      JSON.stringify({ ...KENNEDY, username: 'n.four' }).replace('"role"', '"role":"HOSPITAL_CLERK","role"'),
    );
    expect(counts).toEqual({ imported: 1, unchanged: 0, rejected: 8 });
    expect(rejects.map(({ line, issues }) => [line, ...issues.map(({ message }) => message)])).toEqual([
      [1, expect.stringMatching(/^body: must be JSON \(/)],
      [2, 'body: must be an object'],
      [
        3,
        'admin: is not a known key; allowed: username, name, role, primaryOfficeId, email, mobile, password',
        "username: must be 1 to 64 letters, digits, `.`, `_`, `@`, `+`, `'` and `-`, one of them visible",
        'name.firstname: must be visible text of 1 to 256 characters without control characters and without unpaired surrogates, or empty',
        'role: must be a string',
        'primaryOfficeId: must be a UUID',
        'email: must be an e-mail address',
        'mobile: must be 4 to 20 digits, which a `+` may precede',
        'password: must be text of 8 to 256 characters',
      ],
      [
        4,
        expect.stringMatching(/^role: must be one of HOSPITAL_CLERK, /),
        'primaryOfficeId: must be the id of a location',
      ],
      [5, 'Another user has this mobile number'],
      [6, 'body: must not be longer than 65536 bytes'],
      [8, 'username: looks like the name of another user'],
      [9, 'role: is given twice'],
    ]);
    expect(JSON.stringify(rejects.map(({ issues }) => issues))).not.toContain('short');
  });
});
