import { CLI } from '../../src/platform/audit/audit-entry.js';
import { AuditLog } from '../../src/platform/audit/audit-log.js';
import { ConfirmationLog } from '../../src/events/confirmation/confirmation-log.js';
import { ConfirmationOutbox } from '../../src/events/confirmation/confirmation-outbox.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { confirmationOf, startConfirmationService } from '../support/confirmation-service.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase } from '../support/postgres.js';
import { answers, startScriptedSubscriber } from '../support/scripted-subscriber.js';

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
