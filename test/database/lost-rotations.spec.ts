import { Logger } from '@nestjs/common';
import { decodeJwt } from 'jose';
import type { SessionTokens } from '../../src/auth/sessions/session-families.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { jtiOf } from '../support/sessions/session-model.js';
import { addUser } from '../support/a-user.js';
import { type AuthProcess, authProcess } from '../support/auth-process.js';

describe('a session of which the database has lost what happened last, as after a failover', () => {
  let database: TestDatabase;
  let both: [AuthProcess, AuthProcess];
  beforeAll(async () => {
    Logger.overrideLogger(false);
    database = await createTestDatabase();
    both = [authProcess(database), authProcess(database)];
    for (const service of both) await service.start();
  });
  afterAll(async () => {
    await Promise.all(both.map((service) => service.stop()));
    await database.drop();
  });

  const begin = async (): Promise<SessionTokens> => both[0].families.begin(await addUser(database));
  const refresh = ({ refreshToken }: SessionTokens, at: 0 | 1 = 0): Promise<SessionTokens | undefined> =>
    both[at].families.refresh(refreshToken);
  const renewed = async (tokens: SessionTokens): Promise<SessionTokens> => {
    const next = await refresh(tokens);
    if (next === undefined) throw new Error('it was refused');
    return next;
  };
  const familyOf = ({ token }: SessionTokens): unknown => decodeJwt(token)['sid'];
  const isGood = async ({ refreshToken }: SessionTokens): Promise<boolean> => {
    const named = await both[0].refreshTokens.read(refreshToken, new Date());
    return named !== undefined && both[0].families.isGood(named);
  };

  /** Does the work, and then has the database forget what it has written of the session. */
  async function lost<T>(tokens: SessionTokens, work: () => Promise<T>): Promise<T> {
    const family = sql`family_id = ${familyOf(tokens)}`;
    const [row] = await database.database.query<{ row: string }>(
      sql`select f::text as row from session_family f where ${family}`,
    );
    const done = await work();
    await database.database.transaction(async (transaction) => {
      await transaction.query(sql`delete from session_family where ${family}`);
      await transaction.query(sql`insert into session_family select (${row?.row}::session_family).*`);
    });
    return done;
  }

  const log = async (tokens: SessionTokens): Promise<readonly string[]> => {
    const rows = await database.database.query<{ operation: string }>(
      sql`select operation from audit_log where request_data ->> 'familyId' = ${familyOf(tokens)} order by created_at`,
    );
    return rows.map(({ operation }) => operation);
  };

  it('goes on with the newest token, and its parent is a used one', async () => {
    const first = await renewed(await begin());
    const newest = await lost(first, () => renewed(first));
    expect(await isGood(newest)).toBe(true);
    const next = await renewed(newest);
    expect(new Set([first, newest, next].map(({ refreshToken }) => jtiOf(refreshToken))).size).toBe(3);
    expect(jtiOf((await renewed(newest)).refreshToken)).toBe(jtiOf(next.refreshToken));
    const last = await renewed(next);
    expect(await log(first)).toEqual(['auth.lostRotation']);
    expect([await refresh(first), await refresh(last)]).toEqual([undefined, undefined]);
    expect(await log(first)).toEqual(['auth.lostRotation', 'auth.reuse']);
  });

  it('has one successor, however many callers bring the newest token at the same time', async () => {
    const first = await begin();
    const newest = await lost(first, () => renewed(first));
    const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => refresh(newest, at % 2 === 0 ? 0 : 1)));
    expect(new Set(answers.map((answer) => jtiOf(answer?.refreshToken ?? newest.refreshToken))).size).toBe(1);
    expect([answers.includes(undefined), await log(first)]).toEqual([false, ['auth.lostRotation']]);
  });

  it('ends where somebody has brought the token before meanwhile, which only one of two can have had', async () => {
    const first = await begin();
    const newest = await lost(first, () => renewed(first));
    const thief = await renewed(first);
    expect(await isGood(newest)).toBe(false);
    expect([await refresh(newest), await refresh(thief)]).toEqual([undefined, undefined]);
    expect(await log(first)).toEqual(['auth.reuse']);
  });

  it('ends where more than one rotation is lost', async () => {
    const first = await begin();
    const newest = await lost(first, async () => renewed(await renewed(first)));
    expect([await refresh(newest), await refresh(first)]).toEqual([undefined, undefined]);
    expect(await log(first)).toEqual(['auth.reuse']);
  });

  it('ends with the newest token of a release that did not say what it replaces', async () => {
    const first = await begin();
    const { userId, familyId, jti, exp } = (await both[0].refreshTokens.read(first.refreshToken, new Date())) ?? {};
    if (userId === undefined || familyId === undefined || jti === undefined) throw new Error('it is none');
    const expiresAt = new Date(Number(exp) * 1_000);
    const older = { userId, familyId, jti: crypto.randomUUID() as typeof jti, parentJti: null, expiresAt };
    const refreshToken = await both[0].refreshTokens.sign(older, new Date());
    expect(await refresh({ ...first, refreshToken })).toBeUndefined();
    expect(await log(first)).toEqual(['auth.reuse']);
  });
});
