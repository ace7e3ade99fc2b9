import { randomUUID } from 'node:crypto';
import { type ClaimedNotice, NoticeClaims, NoticeNotes } from '../../src/auth/notices/notice-claims.js';
import {
  type Notice,
  type NoticeEvent,
  NoticeOutbox,
  purposeOfNotice,
  recipientOf,
} from '../../src/auth/notices/notice-outbox.js';
import { SecretsBox } from '../../src/auth/secrets/secrets-box.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { sql, type Sql } from '../../src/kernel/sql/sql.js';
import { Primary } from '../../src/platform/database/connection/primary.js';
import { SessionLock } from '../../src/platform/database/connection/session-lock.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

describe('notices to users', () => {
  const box = new SecretsBox(Buffer.alloc(32, 1));
  const ann = recipientOf({
    name: { firstname: 'Ann', surname: 'Musonda' },
    email: 'ann@example.com',
    mobile: null,
  });

  let test: TestDatabase;
  let outbox: NoticeOutbox;
  beforeAll(async () => {
    test = await createTestDatabase();
    outbox = new NoticeOutbox(test.database, box, () => 'a request');
  });
  afterAll(async () => {
    await outbox.onModuleDestroy();
    await test.drop();
  });

  const aCode = (userId: Uuid, code: string): Notice<'2fa'> => ({
    event: '2fa',
    userId,
    body: { recipient: ann, code },
    goodSeconds: 60,
  });

  interface Row {
    readonly id: string;
    readonly status: string;
    readonly sealed: string | null;
    readonly correlationId: string;
  }

  const rowsOf = (userId: Uuid): Promise<Row[]> =>
    test.database.query<Row>(sql`
    select notice_id as id, status, body_sealed as sealed, correlation_id as "correlationId"
      from user_notice where user_id = ${userId} order by position`);

  describe('the outbox of notices to users', () => {
    it('keeps a notice sealed, in the transaction of what it tells of (U-9)', async () => {
      const userId = randomUUID() as Uuid;
      await test.database.transaction((transaction) => outbox.enqueue(transaction, aCode(userId, '123456')));
      const undone = test.database.transaction(async (transaction) => {
        await outbox.enqueue(transaction, aCode(userId, '654321'));
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      const [row, ...others] = await rowsOf(userId);
      expect([row?.status, row?.correlationId, others]).toEqual(['pending', 'a request', []]);
      expect(row?.sealed).not.toContain('123456');
      expect(JSON.parse(box.open(row?.sealed ?? '', purposeOfNotice(row?.id ?? '')))).toEqual({
        recipient: { name: { firstname: 'Ann', surname: 'Musonda' }, email: 'ann@example.com' },
        code: '123456',
      });
    });

    it('keeps the newest three of an event for a user, and erases the others, however often they are asked for', async () => {
      const userId = randomUUID() as Uuid;
      for (let code = 0; code < 5; code += 1) await outbox.enqueue(test.database, aCode(userId, String(code)));
      const rows = await rowsOf(userId);
      expect(rows.map(({ status }) => status)).toEqual(['expired', 'expired', 'pending', 'pending', 'pending']);
      expect(rows.map(({ sealed }) => sealed !== null)).toEqual([false, false, true, true, true]);
    });

    it('counts those that were replaced among the unsent ones', async () => {
      const userId = randomUUID() as Uuid;
      const metrics = new Metrics();
      const another = new NoticeOutbox(test.database, box, undefined, metrics);
      const counted = async () =>
        (await metrics.registry.getSingleMetricAsString('matricula_notices_unsent_total')).split('\n').slice(2);
      const counts = (replaced: number) => [
        'matricula_notices_unsent_total{reason="dead"} 0',
        'matricula_notices_unsent_total{reason="expired"} 0',
        `matricula_notices_unsent_total{reason="replaced"} ${replaced}`,
      ];
      expect(await counted()).toEqual(counts(0));
      for (let code = 0; code < 5; code += 1) await another.enqueue(test.database, aCode(userId, String(code)));
      expect(await counted()).toEqual(counts(2));
      await another.enqueue(test.database, aCode(userId, '6'));
      expect(await counted()).toEqual(counts(3));
      await another.onModuleDestroy();
    });
  });
});

describe('claims of notices', () => {
  const box = new SecretsBox(Buffer.alloc(32, 1));
  const recipient = recipientOf({
    name: { firstname: 'Ann', surname: 'Musonda' },
    email: 'ann@example.com',
    mobile: null,
  });

  let test: TestDatabase;
  let outbox: NoticeOutbox;
  let claims: NoticeClaims;
  let notes: NoticeNotes;
  beforeAll(async () => {
    test = await createTestDatabase();
    outbox = new NoticeOutbox(test.database, box);
    const lock = new SessionLock(new Primary(test.url));
    claims = new NoticeClaims(test.database, lock, { CONFIRMATION_TIMEOUT_SECONDS: 10 });
    notes = new NoticeNotes(test.database);
    // Leases of before are respected for a moment after the start of a server.
    await test.database.query(
      sql`select pg_sleep(greatest(0, 3.1 - extract(epoch from now() - pg_postmaster_start_time())))`,
    );
  });
  afterAll(async () => {
    await outbox.onModuleDestroy();
    await test.drop();
  });
  beforeEach(() => test.database.query(sql`delete from user_notice`));

  const newUser = (): Uuid => randomUUID() as Uuid;

  /** Enqueues a notice; `changes`: what is set of its row. Resolves with its id. */
  async function aNotice(event: NoticeEvent = '2fa', userId = newUser(), changes?: Sql): Promise<string> {
    await outbox.enqueue(test.database, { event, userId, body: { recipient, code: '1' }, goodSeconds: 600 });
    const [row] = await test.database.query<{ id: string }>(
      sql`select notice_id as id from user_notice order by position desc limit 1`,
    );
    const id = row?.id ?? '';
    if (changes !== undefined)
      await test.database.query(sql`update user_notice set ${changes} where notice_id = ${id}`);
    return id;
  }

  const claimed = async (): Promise<readonly string[]> =>
    (await claims.claim(() => 'quick')).map(({ noticeId }) => noticeId).sort();

  interface Kept {
    readonly status: string;
    readonly failures: number;
    readonly lastFailure: string | null;
    readonly isClaimed: boolean;
    /** From now until it is due. */
    readonly minutes: number | null;
  }

  const kept = async (id: string): Promise<Kept | undefined> => {
    const [row] = await test.database.query<Kept>(sql`
    select status, failures, last_failure as "lastFailure", claim_token is not null as "isClaimed",
           round(extract(epoch from next_attempt_at - now()) / 60)::int as minutes
      from user_notice where notice_id = ${id}`);
    return row;
  };

  const SETTLED = sql`status = 'delivered', body_sealed = null, next_attempt_at = null, settled_at = now()`;

  describe('a notice that waits', () => {
    it('gives way to later ones of its own event to its own user alone, and nothing that was sent does', async () => {
      const userId = newUser();
      const sent = [await aNotice('2fa', userId, SETTLED), await aNotice('2fa', userId, SETTLED)];
      const ofAnother: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        ofAnother.push(await aNotice('username-reminder', userId), await aNotice('2fa', newUser()));
      }
      const [first, ...later] = [
        await aNotice('2fa', userId),
        await aNotice('2fa', userId),
        await aNotice('2fa', userId),
        await aNotice('2fa', userId),
      ];
      const statuses = async (ids: readonly (string | undefined)[]): Promise<unknown> =>
        Promise.all(ids.map(async (id) => (await kept(id ?? ''))?.status));
      expect(await statuses(sent)).toEqual(['delivered', 'delivered']);
      expect(await statuses(ofAnother)).toEqual(Array.from({ length: 6 }, () => 'pending'));
      expect(await statuses([first, ...later])).toEqual(['expired', 'pending', 'pending', 'pending']);
    });

    it('is claimed when it is due, as long as it is of use, and nobody else holds it', async () => {
      const due = await aNotice();
      const left = await aNotice(
        '2fa',
        newUser(),
        sql`claim_token = gen_random_uuid(), claimed_until = now() - interval '1 second'`,
      );
      await aNotice('2fa', newUser(), sql`expires_at = now() - interval '1 second'`);
      await aNotice('2fa', newUser(), sql`next_attempt_at = now() + interval '1 hour'`);
      await aNotice('2fa', newUser(), sql`claim_token = gen_random_uuid(), claimed_until = now() + interval '1 hour'`);
      expect(await claimed()).toEqual([due, left].sort());
      expect(await claimed()).toEqual([]);
    });

    it('is claimed the sooner the longer it has been due, however many are left by processes that ended', async () => {
      const ids: string[] = [];
      for (let minutes = 1; minutes <= 20; minutes += 1) {
        const isLeft = sql`claim_token = gen_random_uuid(), claimed_until = now() - interval '1 second'`;
        const since = sql`next_attempt_at = now() - ${minutes} * interval '1 minute'`;
        ids.push(await aNotice('2fa', newUser(), sql`${isLeft}, ${since}`));
      }
      expect(await claimed()).toEqual(ids.slice(-15).sort());
      expect(await claimed()).toEqual([]);
    });

    it('is settled by whoever has claimed it last, and keeps what it met when nothing is sent', async () => {
      const id = await aNotice('2fa', newUser(), sql`failures = 1, last_failure = 'answered 503'`);
      const [claim] = await claims.claim(() => 'quick');
      const other = { ...claim, token: randomUUID() } as ClaimedNotice;
      const before = { status: 'pending', failures: 1, lastFailure: 'answered 503', isClaimed: true, minutes: 0 };
      for (const verdict of ['delivered', 'dead', 'retry', 'withdrawn'] as const) {
        await notes.write({ claim: other, verdict, waitMs: 600_000, failure: 'answered 500' });
        expect(await kept(id)).toEqual(before);
      }
      await notes.write({ claim: claim as ClaimedNotice, verdict: 'withdrawn', waitMs: 0, failure: null });
      expect(await kept(id)).toEqual({ ...before, isClaimed: false });
      const [again] = await claims.claim(() => 'quick');
      await notes.write({ claim: again as ClaimedNotice, verdict: 'retry', waitMs: 600_000, failure: 'answered 500' });
      expect(await kept(id)).toEqual({
        ...before,
        failures: 2,
        lastFailure: 'answered 500',
        isClaimed: false,
        minutes: 10,
      });
    });
  });

  it('a notice that was sent stays so after what it said has expired, and is kept for so many days', async () => {
    const old = sql`expires_at = now() - interval '29 days', settled_at = now() - interval '29 days'`;
    const id = await aNotice('2fa', newUser(), SETTLED);
    await test.database.query(sql`update user_notice set ${old}`);
    expect(await notes.expire(undefined)).toBe(0);
    await notes.remove(30, undefined);
    const sent = { status: 'delivered', failures: 0, lastFailure: null, isClaimed: false, minutes: null };
    expect(await kept(id)).toEqual(sent);
    await notes.remove(28, undefined);
    expect(await kept(id)).toBeUndefined();
  });
});
