import { decodeJwt } from 'jose';
import { revokeToken } from '../../src/auth/sessions/revoked-tokens.js';
import { type AccessClaims, readAccessClaims } from '../../src/auth/tokens/access-claims.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { claimsOf } from '../support/sessions/claims-of.js';
import { addUser } from '../support/a-user.js';
import { type AuthProcess, authProcess, within2Seconds } from '../support/auth-process.js';

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
