import { Logger } from '@nestjs/common';
import { decodeJwt } from 'jose';

import { revokeToken } from '../../src/auth/sessions/revoked-tokens.js';
import type { SessionTokens } from '../../src/auth/sessions/session-families.js';
import { SessionUpkeep } from '../../src/auth/sessions/session-upkeep.js';
import { type AccessClaims, readAccessClaims } from '../../src/auth/tokens/access-claims.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { Jobs } from '../../src/platform/jobs/jobs.js';
import { addUser } from '../support/a-user.js';
import { type AuthProcess, authProcess, within2Seconds } from '../support/auth-process.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { claimsOf } from '../support/sessions/claims-of.js';
import { jtiOf } from '../support/sessions/session-model.js';

describe('upkeep of sessions', () => {
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
      // Three are good for another hour. A clock that is behind, or set back, takes the next two for good.
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
      expect(counted).toEqual([Object.fromEntries(TABLES.map((table) => [table, 5]))]);
    });
  });
});

describe('lost rotations', () => {
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
});

describe('revoked tokens', () => {
  const ANNOUNCE = sql`select pg_notify('token_revoked', '')`;

  describe('revoked tokens', () => {
    let database: TestDatabase;
    let one: AuthProcess;
    let other: AuthProcess;

    beforeAll(async () => {
      database = await createTestDatabase();
      [one, other] = [authProcess(database), authProcess(database)];
      await one.start();
      await other.start();
    });
    afterAll(async () => {
      await Promise.all([one.stop(), other.stop()]);
      await database.drop();
    });

    const read = (says: object): AccessClaims => {
      const claims = readAccessClaims({ exp: 1, ...says });
      if (claims === undefined) throw new Error('these are claims');
      return claims;
    };
    const revoke = (id: string, expiresIn = '10 minutes') => sql`
    insert into revoked_token (id, expires_at) values (${id}, now() + ${expiresIn}::interval)`;

    it('are those of an ended session, here at once and elsewhere within two seconds', async () => {
      const user = await addUser(database);
      const [ended, lasting] = [await one.families.begin(user), await one.families.begin(user)];
      await one.families.end({ ...user, familyId: decodeJwt(ended.token)['sid'] as typeof user.userId });
      const claims = [claimsOf(ended.token), claimsOf(lasting.token)] as const;
      expect(claims.map((claim) => one.revoked.isRevoked(claim))).toEqual([true, false]);
      await within2Seconds(database, () => other.revoked.isRevoked(claims[0]));
      expect(other.revoked.isRevoked(claims[1])).toBe(false);
    });

    it('are access tokens whose session the database has lost, as a failover may lose a login', async () => {
      const user = await addUser(database);
      const { token } = await one.families.begin(user);
      await database.database.query(sql`delete from session_family where user_id = ${user.userId}`);
      await one.revocation.end(token, new Date(), () => Promise.resolve());
      expect(one.revoked.isRevoked(claimsOf(token))).toBe(true);
    });

    it('are told by jti or by session, in any letter case, and by nothing else', async () => {
      const id = aUuid(0xabc);
      await database.database.query(revoke(id));
      await one.families.heed();
      const others = [{ sub: id }, { jti: [id] }, { jti: `${id}0` }, {}];
      const known = [{ jti: id }, { sid: id }, { jti: id.toUpperCase() }, { sid: id.toUpperCase() }, ...others];
      expect(known.map((claims) => one.revoked.isRevoked(read(claims)))).toEqual([
        ...[true, true, true, true, false, false, false, false],
      ]);
    });

    it('are heard of in whatever order their transactions are committed, and read once', async () => {
      const [late, early] = [aUuid(), aUuid()];
      await database.database.transaction(async (transaction) => {
        await transaction.query(revoke(late));
        await database.database.query(revoke(early));
        await one.families.heed();
        expect([{ tokenId: early }, { tokenId: late }].map((claims) => one.revoked.isRevoked(claims))).toEqual([
          true,
          false,
        ]);
        await transaction.query(ANNOUNCE);
      });
      await within2Seconds(
        database,
        () => one.revoked.isRevoked({ tokenId: late }) && other.revoked.isRevoked({ tokenId: early }),
      );
      const before = one.revoked.size;
      await one.families.heed();
      expect(one.revoked.size).toBe(before);
    });

    it('are known to a process that has just started, those alone that have not expired', async () => {
      const [live, expired] = [aUuid(), aUuid()];
      await database.database.query(revoke(live));
      await database.database.query(revoke(expired, '-1 second'));
      const late = authProcess(database);
      await late.start();
      expect([{ tokenId: live }, { tokenId: expired }].map((claims) => late.revoked.isRevoked(claims))).toEqual([
        true,
        false,
      ]);
      await late.stop();
    });

    it('are asked of the database while changes are not heard', async () => {
      const id = aUuid();
      await one.feed.stop();
      await database.database.query(revoke(id));
      await one.revoked.current();
      expect(one.revoked.isRevoked({ tokenId: id })).toBe(true);
      await one.feed.start();
    });

    it('are not forgotten when the clock of this machine jumps ahead for a while', async () => {
      const id = aUuid();
      await database.database.query(revoke(id));
      await one.families.heed();
      const ahead = Date.now() + 11 * 60_000;
      const clock = jest.spyOn(Date, 'now').mockReturnValue(ahead);
      await one.families.heed();
      clock.mockRestore();
      await one.families.heed();
      expect(one.revoked.isRevoked({ tokenId: id })).toBe(true);
    });

    it('are not forgotten by a process that starts before the clock of this machine is put back', async () => {
      const id = aUuid();
      await database.database.query(revoke(id));
      const [now, sinceStart] = [Date.now.bind(Date), performance.now.bind(performance)];
      const clocks = [
        jest.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000),
        jest.spyOn(performance, 'now').mockImplementation(() => sinceStart() + 3_600_000),
      ];
      const early = authProcess(database);
      await early.revoked.onModuleInit();
      for (const clock of clocks) clock.mockRestore();
      expect(early.revoked.isRevoked({ tokenId: id })).toBe(true);
    });

    it.each([
      ['behind', -3_600_000],
      ['right', 0],
      ['ahead', 3_600_000],
    ])('are those of a process whose clock is %s', async (_, offMs) => {
      const now = new Date(Date.now() + offMs);
      const clientId = aUuid();
      const token = await one.tokens.clientToken({ clientId, scopes: ['record.search'] }, now);
      const claims = read(decodeJwt(token));
      await one.revocation.end(token, now, () => Promise.resolve());
      expect(one.revoked.isRevoked(claims)).toBe(true);
      const [row] = await database.database.query<{ left: number }>(sql`
      select extract(epoch from expires_at - now())::float8 as left from revoked_token where id = ${claims.tokenId}::uuid`);
      expect(row?.left).toBeGreaterThan(600);
    });

    it('are a thousand of one subject, and ten once there are a hundred thousand of all', async () => {
      expect(one.revoked.mostOfOne).toBe(1_000);
      await database.database.query(sql`
      insert into revoked_token (id, expires_at)
      select gen_random_uuid(), now() + interval '10 minutes' from generate_series(1, 100000)`);
      await one.families.heed();
      expect(one.revoked.mostOfOne).toBe(10);
      const revoked = (subject: string) =>
        database.database.transaction((transaction) =>
          revokeToken(
            transaction,
            { jti: aUuid(), subject, expiresAtSeconds: Date.now() / 1_000, now: new Date() },
            one.revoked.mostOfOne,
          ),
        );
      for (let count = 0; count < 10; count += 1) expect(await revoked('many')).toBe(true);
      expect([await revoked('many'), await revoked('few')]).toEqual([false, true]);
      await database.database.query(sql`truncate revoked_token`);
    });

    it('are read anew from another server, whose transactions have other numbers', async () => {
      const id = aUuid();
      // As a server has them that was restored from a copy: its transactions begin again at lower numbers.
      await database.database.query(sql`insert into revoked_token (id, txid, expires_at)
      values (${id}, '3'::xid8, now() + interval '1 hour')`);
      await one.families.heed();
      expect(one.revoked.isRevoked({ tokenId: id })).toBe(false);
      one.database.primary.meet('one');
      one.database.primary.meet('another');
      await within2Seconds(database, () => one.revoked.isRevoked({ tokenId: id }));
    });
  });
});
