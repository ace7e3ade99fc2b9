import { EventEmitter, once } from 'node:events';
import { CONFIRMATIONS_LOCK } from '../../src/platform/database/connection/advisory-locks.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { readEvent } from '../../src/events/records/stored-projection.js';
import { type Sql, sql } from '../../src/kernel/sql/sql.js';
import { confirmationOf, type ConfirmationService, startConfirmationService } from '../support/confirmation-service.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { type ScriptedSubscriber, startScriptedSubscriber } from '../support/scripted-subscriber.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

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
