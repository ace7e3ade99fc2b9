import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { parseUuid, type Uuid } from '../../src/kernel/domain/uuid.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { claimsOf } from '../support/sessions/claims-of.js';
import { sessionCommands, type TwoServices } from '../support/sessions/session-commands.js';
import { EXPIRY_SECONDS, GRACE_SECONDS, jtiOf, SessionModel } from '../support/sessions/session-model.js';
import { addUser } from '../support/a-user.js';
import { type AuthProcess, authProcess } from '../support/auth-process.js';

const ENVIRONMENT = {
  CONFIG_REFRESH_TOKEN_EXPIRY_SECONDS: String(EXPIRY_SECONDS),
  CONFIG_REFRESH_TOKEN_GRACE_SECONDS: String(GRACE_SECONDS),
};

describe('sessions, on two services with one database', () => {
  let database: TestDatabase;
  let both: [AuthProcess, AuthProcess];

  beforeAll(async () => {
    // Reuse is a warning, of which there are hundreds here.
    Logger.overrideLogger(false);
    database = await createTestDatabase();
    both = [authProcess(database, ENVIRONMENT), authProcess(database, ENVIRONMENT)];
    for (const service of both) await service.start();
  });
  afterAll(async () => {
    await Promise.all(both.map((service) => service.stop()));
    await database.drop();
  });

  it('are as U-3 and U-7 say, whatever happens in whatever order', async () => {
    const until = performance.now() + 4_000;
    await fc.assert(
      fc.asyncProperty(sessionCommands(30), async (commands) => {
        // Not interrupted by fast-check, which would leave a run behind that finds its services stopped.
        if (performance.now() > until) return;
        const [user, another] = [await addUser(database), await addUser(database)];
        const model = new SessionModel();
        model.begin(user.userId, await both[0].families.begin(user));
        const real = servicesOf(both, [user.userId, another.userId]);
        await fc.asyncModelRun(() => ({ model, real }), commands);
      }),
      { numRuns: 50 },
    );
  });

  it('have one successor, however many callers bring one token at the same time', async () => {
    const [one, other] = both;
    const { refreshToken } = await one.families.begin(await addUser(database));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? one : other).families.refresh(refreshToken)),
    );
    const successors = new Set(answers.map((answer) => jtiOf(answer?.refreshToken ?? refreshToken)));
    expect([successors.size, successors.has(jtiOf(refreshToken))]).toEqual([1, false]);
  });

  it('go on with the token that the client has, when the database fails while it is exchanged', async () => {
    const [one, other] = both;
    const { refreshToken } = await one.families.begin(await addUser(database));
    const family = sql`f where current_jti = ${jtiOf(refreshToken)}`;
    await database.database.transaction(async (transaction) => {
      await transaction.query(sql`select from session_family ${family} for update`);
      const lost = one.families.refresh(refreshToken).then(() => 'answered', String);
      await eventually('its connection has ended', async () => {
        const ended = await database.database.query(sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%update session_family%'`);
        return ended.length > 0;
      });
      expect(await lost).not.toBe('answered');
    });
    // The first has been undone. The second is committed, and its answer is lost on the way.
    const unseen = await other.families.refresh(refreshToken);
    const seen = await one.families.refresh(refreshToken);
    expect(jtiOf(seen?.refreshToken ?? '')).toBe(jtiOf(unseen?.refreshToken ?? ''));
    expect(await one.families.refresh(seen?.refreshToken ?? '')).toBeDefined();
  });
});

/** The services themselves, without routes. */
const servicesOf = (both: readonly [AuthProcess, AuthProcess], users: readonly Uuid[]): TwoServices => ({
  users,
  database: both[0].database,
  begin: (at, userId) => both[at].families.begin({ userId }).catch(() => undefined),
  refresh: (at, token) => both[at].families.refresh(token),
  logOut: async (at, { id, userId }) => {
    const familyId = parseUuid(id);
    if (familyId !== undefined) await both[at].families.end({ userId, familyId });
  },
  deactivate: async (at, userId) => {
    await both[at].database.transaction(async (transaction) => {
      await both[at].families.endAllOf(transaction, userId);
      await transaction.query(sql`update user_account set status = 'deactivated' where user_id = ${userId}`);
    });
    await both[at].families.heed();
  },
  activate: async (at, userId) => {
    await both[at].database.query(sql`update user_account set status = 'active' where user_id = ${userId}`);
  },
  accepts: (at, token) => Promise.resolve(!both[at].revoked.isRevoked(claimsOf(token))),
  heard: async () => {
    await Promise.all(both.map(({ revoked, families }) => families.heed().then(() => revoked.current())));
  },
});
