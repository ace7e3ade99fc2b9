import { EventEmitter, once } from 'node:events';

import { ConfirmationLog } from '../../src/events/confirmation/confirmation-log.js';
import { ConfirmationOutbox } from '../../src/events/confirmation/confirmation-outbox.js';
import { readEvent } from '../../src/events/records/stored-events.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { sql, type Sql } from '../../src/kernel/sql/sql.js';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { AuditLog } from '../../src/platform/audit/audit-log.js';
import { CONFIRMATIONS_LOCK } from '../../src/platform/database/connection/advisory-locks.js';
import { anAction } from '../support/builders/an-action.js';
import { confirmationOf, type ConfirmationService, startConfirmationService } from '../support/confirmation-service.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { answers, type ScriptedSubscriber, startScriptedSubscriber } from '../support/scripted-subscriber.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

describe('a large confirmation', () => {
  let test: TestDatabase;
  let country: ScriptedSubscriber;
  let service: ConfirmationService;

  beforeAll(async () => {
    test = await createTestDatabase();
    country = await startScriptedSubscriber({ tls: false });
    service = await startConfirmationService(test, { COUNTRY_CONFIG_URL: `http://127.0.0.1:${country.port}` });
    country.behave(answers(200));
  });
  afterAll(async () => {
    await service.close();
    await country.close();
    await test.drop();
  });

  describe('a request that can be accepted no more, on an event that takes nothing more', () => {
    it('stays Requested, and is dead after the last try', async () => {
      const requested = anAction({ type: 'DECLARE', status: 'Requested' });
      const later = [anAction({ type: 'DECLARE' }), anAction({ type: 'REGISTER', registrationNumber: 'N-1' })];
      // An earlier release let events become as large.
      const reads = Array.from({ length: 7_000 }, () => anAction({ type: 'READ' }));
      const { actionId } = await service.request(requested, { actions: [anAction(), requested, ...later, ...reads] });
      await eventually('it is dead', async () => (await confirmationOf(test, actionId)).status === 'dead');
      const { failures, attempts } = await confirmationOf(test, actionId);
      expect([failures, attempts]).toEqual([
        4,
        Array.from({ length: 4 }, () => expect.stringContaining('actions: ') as string),
      ]);
      expect(
        await test.database.query(sql`select claim_token from confirmation where claim_token is not null`),
      ).toEqual([]);
    });
  });
});

describe('late answers of confirmations', () => {
  let test: TestDatabase;
  let country: ScriptedSubscriber;
  let service: ConfirmationService;
  beforeAll(async () => {
    test = await createTestDatabase();
    country = await startScriptedSubscriber({ tls: false });
    service = await startConfirmationService(test, {
      COUNTRY_CONFIG_URL: `http://127.0.0.1:${country.port}/country/`,
      CONFIRMATION_TIMEOUT_SECONDS: '1',
    });
  });
  afterAll(async () => {
    await service.close();
    await country.close();
    await test.drop();
  });

  /** Another session that holds a lock; resolves with how to release it. */
  async function held(lock: Sql): Promise<() => Promise<void>> {
    const ending = new EventEmitter();
    const holding = test.database.transaction(async (transaction) => {
      await transaction.query(lock);
      ending.emit('locked');
      await once(ending, 'end');
    });
    await once(ending, 'locked');
    return () => {
      ending.emit('end');
      return holding;
    };
  }

  async function claimOf(actionId: Uuid): Promise<string | null> {
    const [row] = await test.database.query<{ readonly token: string | null }>(
      sql`select claim_token as token from confirmation where action_id = ${actionId}`,
    );
    return row?.token ?? null;
  }

  it('a request whose event was not read before its lease ended is posted by the next claim alone', async () => {
    const answer: (() => void)[] = [];
    country.behave((_, response) => {
      answer.push(() => response.writeHead(202).end());
    });
    const freeClaims = await held(sql`select pg_advisory_xact_lock(${CONFIRMATIONS_LOCK})`);
    const { actionId } = await service.request();
    const freeEvents = await held(sql`lock table event in access exclusive mode`);
    await freeClaims();
    await eventually('it is claimed', async () => (await claimOf(actionId)) !== null);
    const first = await claimOf(actionId);
    await eventually('it is claimed again', async () => ![null, first].includes(await claimOf(actionId)));
    await freeEvents();
    await eventually('it is posted', () => answer.length > 0);
    // Both claims have read the event by now; neither exchange ends before it is answered.
    await test.database.query(sql`select pg_sleep(0.5)`);
    expect(answer).toHaveLength(1);
    answer[0]?.();
    await eventually('it is noted', async () => (await confirmationOf(test, actionId)).status === 'waiting');
  });

  it('a record names whoever asked for what was accepted, also where somebody has asked for more meanwhile', async () => {
    const both = new EventEmitter();
    const verdicts = [200, 400];
    country.behave((_, response) => {
      const answer = (): unknown => response.writeHead(verdicts.shift() ?? 500).end();
      if (verdicts.length < 2) answer();
      else both.once('requested', answer);
    });
    const { eventId, actionId } = await service.request({ createdBy: 'first' });
    const second = await service.requestOn(eventId, { createdBy: 'second' });
    await eventually('the first is posted', () => both.listenerCount('requested') > 0);
    both.emit('requested');
    const statusOf = async (id: Uuid): Promise<string> => (await confirmationOf(test, id)).status;
    await eventually('the second is rejected', async () => (await statusOf(second.actionId)) === 'rejected');
    expect(await statusOf(actionId)).toBe('accepted');
    const event = await readEvent(test.database, eventId, WITHOUT_FORMS);
    expect(event?.record.legalStatuses.DECLARED?.createdBy).toBe('first');
  });
});

describe('replayed confirmations', () => {
  it('requests of one event are posted one at a time, also where one is replayed while a later one is posted', async () => {
    const test = await createTestDatabase();
    const country = await startScriptedSubscriber({ tls: false });
    const service = await startConfirmationService(test, { COUNTRY_CONFIG_URL: `http://127.0.0.1:${country.port}/` });
    const isOf = (actionId: Parameters<typeof confirmationOf>[1], status: string): Promise<void> =>
      eventually(`it is ${status}`, async () => (await confirmationOf(test, actionId)).status === status);
    try {
      country.behave(answers(202));
      const { eventId, actionId: first } = await service.request({ type: 'NOTIFY' });
      const { actionId: another } = await service.request({ type: 'NOTIFY' });
      for (const actionId of [first, another]) await isOf(actionId, 'waiting');
      const open: (() => void)[] = [];
      country.behave((_, answer) => {
        open.push(() => answer.writeHead(200).end());
      });
      const { actionId: second } = await service.requestOn(eventId);
      await eventually('the second is posted', () => open.length === 1);
      await test.database.query(sql`
      update confirmation set status = 'pending', next_attempt_at = now()
       where action_id = any (${[first, another]}::uuid[])`);
      // Of the same kind and due at the same time: both would be found by one look, and claimed together.
      await eventually('that of another event is posted', () => open.length >= 2);
      const claimed = await test.database.query(sql`
      select action_id as id from confirmation where status = 'pending' and claim_token is not null
       order by action_id = ${another}`);
      expect(claimed).toEqual([{ id: second }, { id: another }]);
      for (const answer of open) answer();
      await isOf(second, 'accepted');
      await eventually('the first is posted', () => open.length === 3);
      open[2]?.();
      // The record has gone on.
      await isOf(first, 'rejected');
    } finally {
      await service.close();
      await country.close();
      await test.drop();
    }
  });

  it.each([
    ['the last of its schedule', '0.1'],
    ['one before a long wait', '0.1,3600'],
  ])('a request that is replayed during an attempt, %s, is posted again when that fails', async (_, schedule) => {
    const test = await createTestDatabase();
    const country = await startScriptedSubscriber({ tls: false });
    const service = await startConfirmationService(test, {
      COUNTRY_CONFIG_URL: `http://127.0.0.1:${country.port}/`,
      WEBHOOK_RETRY_SECONDS: schedule,
    });
    try {
      const open: ((status: number) => void)[] = [];
      country.behave((_request, answer) => {
        open.push((status) => answer.writeHead(status).end());
      });
      const { actionId } = await service.request();
      await eventually('it is posted', () => open.length === 1);
      open[0]?.(503);
      await eventually('it is posted again', () => open.length === 2);
      const audit = service.app.get(AuditLog, { strict: false });
      const log = new ConfirmationLog(test.database, audit, service.app.get(ConfirmationOutbox, { strict: false }));
      expect(await log.replayOne(actionId, CLI)).toBe('replayed');
      open[1]?.(503);
      await eventually('it is posted once more', () => open.length === 3);
      open[2]?.(200);
      await eventually('it is accepted', async () => (await confirmationOf(test, actionId)).status === 'accepted');
      expect(await confirmationOf(test, actionId)).toEqual({
        status: 'accepted',
        failures: 0,
        attempts: ['503', '503', '200'],
      });
    } finally {
      await service.close();
      await country.close();
      await test.drop();
    }
  });
});
