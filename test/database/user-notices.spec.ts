import { randomUUID } from 'node:crypto';
import { type Notice, purposeOfNotice, recipientOf } from '../../src/auth/notices/notice.js';
import { NoticeOutbox } from '../../src/auth/notices/notice-outbox.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { SecretsBox } from '../../src/auth/secrets/secrets-box.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const box = new SecretsBox(Buffer.alloc(32, 1));
const ann = recipientOf({ firstname: 'Ann', surname: 'Musonda', email: 'ann@example.com', mobile: null });

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
