import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Capacities } from '../../src/platform/queue/capacities.js';
import type { Caller } from '../../src/kernel/domain/scopes/caller.js';
import { HungUp } from '../../src/platform/queue/hang-up.js';
import type { Actor } from '../../src/platform/audit/audit-entry.js';
import { AuditLog } from '../../src/platform/audit/audit-log.js';
import { AuditWriter } from '../../src/platform/audit/audit-writer.js';
import { AuditDatabase } from '../../src/platform/database/pools/pools.js';
import type { Instant } from '../../src/kernel/domain/calendar.js';
import type { ActionStatus, EventAction, EventDocument } from '../../src/kernel/domain/event-action.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { ConfirmationLog, type ConfirmationPage } from '../../src/events/confirmation/confirmation-log.js';
import { ConfirmationsController } from '../../src/events/confirmation/confirmations.controller.js';
import { ConfirmationReplayDto, ConfirmationsQueryDto } from '../../src/events/confirmation/confirmations.dto.js';
import { ConfirmationOutbox } from '../../src/events/confirmation/confirmation-outbox.js';
import { importRecords } from '../../src/events/import/import-records.js';
import { type Sql, sql } from '../../src/kernel/sql/sql.js';
import { readDto } from '../../src/platform/dto/read-dto.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { untilLocksAreAwaited } from '../support/database-activity.js';
import { eventually } from '../support/eventually.js';
import { ndjson } from '../support/ndjson.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

let test: TestDatabase;
let outbox: ConfirmationOutbox;
let log: ConfirmationLog;
beforeAll(async () => {
  test = await createTestDatabase();
  const { database } = test;
  const audit = new AuditLog(new AuditWriter(new AuditDatabase(database.primary)));
  outbox = new ConfirmationOutbox(database);
  log = new ConfirmationLog(database, audit, outbox);
});
afterAll(async () => {
  await outbox.onModuleDestroy();
  await test.drop();
});
beforeEach(() => test.database.query(sql`delete from confirmation`));

const page = async (query: object): Promise<ConfirmationPage> => log.page(await readDto(ConfirmationsQueryDto, query));

/** So many dead confirmations with so many attempts of so many characters each. */
async function confirmations(count: number, attempts: number, characters: number): Promise<void> {
  await test.database.query(sql`
    with requested as (
      insert into confirmation (action_id, event_id, event_type, action_type, correlation_id, status)
      select gen_random_uuid(), gen_random_uuid(), 'birth', 'REGISTER', 'request', 'dead'
        from generate_series(1, ${count}::int)
      returning action_id)
    insert into confirmation_attempt (action_id, at, duration_ms, status, response)
    select action_id, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 minute', n, 500,
           repeat('x', ${characters}::int)
      from requested, generate_series(1, ${attempts}::int) as n`);
}

describe('an answer that an import brings', () => {
  it.each(['pending', 'waiting', 'dead'])('ends a confirmation that is %s', async (status) => {
    const requested = anAction({ type: 'DECLARE', status: 'Requested' });
    const document = anEventDocument({ actions: [anAction(), requested] });
    const others = [
      anAction({ type: 'DECLARE', status: 'Requested' }),
      anAction({ type: 'EDIT', status: 'Requested' }),
    ];
    const other = anEventDocument({ actions: [anAction(), ...others] });
    const imported = (...documents: readonly EventDocument[]): Promise<unknown> =>
      importRecords(test.database, WITHOUT_FORMS, ndjson(documents), { outgoing: outbox });
    await imported(document, other);
    const ids = [requested, ...others].map(({ id }) => id);
    await test.database.query(sql`
      insert into confirmation (action_id, event_id, event_type, action_type, correlation_id, status, next_attempt_at)
      select id, ${document.id}, 'birth', 'DECLARE', 'request', ${status},
             case ${status} when 'pending' then now() end
        from unnest(${ids}::uuid[]) as asked (id)`);
    const answerTo = ({ type, id }: EventAction, answer: ActionStatus): EventAction =>
      anAction({ type, status: answer, originalActionId: id });
    await imported(
      { ...document, actions: [...document.actions, answerTo(requested, 'Accepted')] },
      { ...other, actions: [...other.actions, ...others.slice(1).map((one) => answerTo(one, 'Rejected'))] },
    );
    const { confirmations: listed } = await page({});
    const known = new Map(listed.map((one) => [one.actionId, one.status]));
    expect(ids.map((id) => known.get(id))).toEqual(['accepted', status, 'rejected']);
  });
});

describe('a page of confirmations', () => {
  it('has as many as are asked for where their attempts are short, each with its latest ones', async () => {
    await confirmations(120, 25, 10);
    const first = await page({ limit: 70 });
    expect(first.confirmations.map(({ attempts }) => attempts.map(({ durationMs }) => durationMs))).toEqual(
      Array.from({ length: 70 }, () => Array.from({ length: 20 }, (_, at) => at + 6)),
    );
    const second = await page({ limit: 70, cursor: first.cursor });
    expect([second.confirmations.length, second.cursor]).toEqual([50, null]);
  });

  it('is at most 2 MiB of attempts, so that it may have fewer than are asked for (Q-1)', async () => {
    await confirmations(100, 20, 4_000);
    const ids: Uuid[] = [];
    const pages: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { confirmations: found, cursor: next } = await page({ limit: 1_000, ...(cursor && { cursor }) });
      expect(JSON.stringify(found).length).toBeLessThan(2_200_000);
      pages.push(found.length);
      ids.push(...found.map(({ actionId }) => actionId));
      cursor = next;
    }
    expect(new Set(ids).size).toBe(100);
    expect(pages).toEqual([25, 25, 25, 25]);
  });

  it('has one at least', async () => {
    await confirmations(2, 20, 200_000);
    const { confirmations: found, cursor } = await page({ limit: 10 });
    expect([found.length, cursor === null]).toEqual([1, false]);
  });
});

describe('a replay of confirmations', () => {
  let by: Actor;
  beforeEach(() => {
    by = { clientId: randomUUID(), clientType: 'user' };
  });
  const [SINCE, UNTIL] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'] as readonly string[] as readonly [
    Instant,
    Instant,
  ];
  const counts = async (): Promise<unknown> =>
    test.database.query(sql`select status, count(*)::int as count from confirmation group by status order by status`);
  const noted = async (): Promise<unknown> =>
    test.database.query(sql`
      select operation, request_data as asked, response_summary as summary
        from audit_log where client_id = ${by.clientId} order by created_at, id`);
  const note = (replayed: number, asked: object = { status: 'dead' }): object => ({
    ...{ operation: 'confirmations.replay', asked, summary: { replayed } },
  });

  it('forgets all but the latest 100 attempts of each, and says how many there are', async () => {
    await confirmations(3, 120, 10);
    expect(await log.replay({ status: 'dead' }, by)).toBe(3);
    const left = await test.database.query(sql`
      select c.status, count(*)::int as attempts, min(duration_ms) as oldest
        from confirmation c join confirmation_attempt using (action_id) group by action_id`);
    expect(left).toEqual(Array.from({ length: 3 }, () => ({ status: 'pending', attempts: 100, oldest: 21 })));
  });

  it('is made in parts where they are very many, each of them once and with a row of its own in the log', async () => {
    await confirmations(2_010, 1, 1);
    expect(await log.replay({ status: 'dead' }, by)).toBe(2_010);
    expect(await counts()).toEqual([{ status: 'pending', count: 2_010 }]);
    expect(await noted()).toEqual([note(1_000), note(1_000), note(10)]);
  });

  it('takes those that were requested within the time, wherever they are among others', async () => {
    await confirmations(2_010, 1, 1);
    await test.database.query(sql`
      update confirmation set created_at = ${SINCE}::timestamptz + interval '1 hour' where action_id in (
        select action_id from confirmation order by position offset 1500 limit 7)`);
    const time = { since: SINCE, until: UNTIL };
    expect(await log.replay({ ...time, status: 'dead' }, by)).toBe(7);
    expect(await counts()).toEqual([
      { status: 'dead', count: 2_003 },
      { status: 'pending', count: 7 },
    ]);
    expect(await noted()).toEqual([note(0, { ...time, status: 'dead' }), note(7, { ...time, status: 'dead' })]);
  });

  it('changes nothing of what waits to be posted already', async () => {
    await confirmations(2, 1, 1);
    await log.replay({ status: 'dead' }, by);
    const rows = (): Promise<unknown> =>
      test.database.query(sql`select c.*, xmin::text from confirmation c order by 1`);
    const before = await rows();
    expect(await log.replay({ status: 'pending' }, by)).toBe(2);
    expect(await rows()).toEqual(before);
  });

  it('is made again where what answers requests locks them in another order', async () => {
    await confirmations(2, 1, 1);
    const [first, last] = await test.database.query<{ readonly id: Uuid }>(
      sql`select action_id as id from confirmation order by action_id`,
    );
    const lock = (one: typeof first): Sql =>
      sql`select from confirmation where action_id = ${one?.id} for no key update`;
    const { outcome } = await test.database.transaction(async (transaction) => {
      // The server ends the other.
      await transaction.query(sql`set local deadlock_timeout = '1min'`);
      await transaction.query(lock(last));
      const replayed = log.replay({ status: 'dead' }, by);
      await untilLocksAreAwaited(test.database);
      await transaction.query(lock(first));
      // Not awaited here: it waits for this transaction.
      return { outcome: replayed };
    });
    expect(await outcome).toBe(2);
    expect(await noted()).toEqual([note(2)]);
  });

  it('goes no further when its client hangs up, and goes on from there when it is asked for again', async () => {
    await confirmations(3_010, 1, 1);
    const request = Object.assign(new ConfirmationReplayDto(), { status: 'dead' });
    const caller: Caller = { subject: by.clientId, userType: 'user', scopes: ['sysadmin'], grants: [] };
    const routes = new ConfirmationsController(log, new Capacities({ DATABASE_POOL_SIZE: 4 }));
    const hungUp = new AbortController();
    // The last of the second part is held, so that the client hangs up while that part is made.
    const begun = await test.database.transaction(async (transaction) => {
      await transaction.query(sql`
        select from confirmation where action_id = (
          select action_id from confirmation order by position offset 1999 limit 1) for update`);
      const replay = routes.replay(request, caller, hungUp.signal).catch((error: unknown) => error);
      const isMade = async (): Promise<boolean> => isDeepStrictEqual(await noted(), [note(1_000)]);
      await eventually('the first part is made', isMade);
      hungUp.abort(new HungUp());
      // Not awaited here: it waits for this transaction.
      return { outcome: replay };
    });
    expect(await begun.outcome).toEqual(expect.any(HungUp));
    expect(await counts()).toEqual([
      { status: 'dead', count: 1_010 },
      { status: 'pending', count: 2_000 },
    ]);
    expect(await routes.replay(request, caller, new AbortController().signal)).toEqual({ replayed: 1_010 });
  });
});
