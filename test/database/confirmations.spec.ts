import { ConfirmationNotes } from '../../src/events/confirmation/confirmation-outbox.js';
import { ownHeaders } from '../../src/platform/outbound/outbound-client.js';
import { sql } from '../../src/kernel/sql/sql.js';
import {
  actionsOf,
  confirmationOf,
  type ConfirmationService,
  outline,
  startConfirmationService,
} from '../support/confirmation-service.js';
import { eventually } from '../support/eventually.js';
import { loseLockBeforePosting } from '../support/lost-lock.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import {
  answers,
  hangs,
  inTurn,
  type ScriptedSubscriber,
  startScriptedSubscriber,
} from '../support/scripted-subscriber.js';

let test: TestDatabase;
let country: ScriptedSubscriber;
let service: ConfirmationService;

beforeAll(async () => {
  test = await createTestDatabase();
  country = await startScriptedSubscriber({ tls: false });
  service = await startConfirmationService(test, { COUNTRY_CONFIG_URL: `http://127.0.0.1:${country.port}/country/` });
});
afterAll(async () => {
  await service.close();
  await country.close();
  await test.drop();
});
beforeEach(async () => {
  country.behave(answers(200));
  country.forget();
  await test.database.query(sql`delete from confirmation`);
});

const json = (status: number, body: unknown) =>
  answers(status, { 'content-type': 'application/json' }, JSON.stringify(body));

const settledAs = (actionId: Parameters<typeof confirmationOf>[1], status: string): Promise<void> =>
  eventually(`${actionId} is ${status}`, async () => (await confirmationOf(test, actionId)).status === status);

describe('a requested action', () => {
  it('is posted with the whole event and a token of the service, and accepted by a 200', async () => {
    country.behave(json(200, { declaration: { 'child.name': 'Ann' }, annotation: { checked: true }, ignored: 1 }));
    const { eventId, actionId } = await service.request({
      transactionId: 'tx-1',
      declaration: { 'child.dob': '2026-01-01' },
    });
    await service.waits.outcomeOf(actionId);
    const [requested, accepted, ...others] = await actionsOf(test, eventId);
    expect([requested?.status, accepted?.status, others]).toEqual(['Requested', 'Accepted', []]);
    expect(accepted).toMatchObject({
      type: 'DECLARE',
      transactionId: 'tx-1',
      createdBy: 'declarer',
      createdByUserType: 'user',
      originalActionId: actionId,
      declaration: { 'child.name': 'Ann' },
      annotation: { checked: true },
    });
    const [posted] = country.notifications;
    expect(posted?.target).toBe('/country/trigger/events/birth/actions/DECLARE');
    expect(posted?.headers).toMatchObject({
      ...ownHeaders(),
      'content-type': 'application/json',
      authorization: expect.stringMatching(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/) as string,
    });
    const claims = JSON.parse(
      Buffer.from(posted?.headers.authorization?.split('.')[1] ?? '', 'base64url').toString(),
    ) as object;
    expect(claims).toMatchObject({ aud: ['opencrvs:countryconfig-user'], scope: [], sub: 'matricula' });
    const body = JSON.parse(posted?.body.toString() ?? '') as { readonly id: string; readonly actions: object[] };
    expect(body).toMatchObject({ id: eventId, type: 'birth' });
    expect(body.actions.at(-1)).toEqual(requested);
    await settledAs(actionId, 'accepted');
    expect(country.notifications).toHaveLength(1);
  });

  it('is rejected by a 400, with the reason where there is one', async () => {
    country.behave(json(400, { message: 'no such mother' }));
    const { eventId, actionId } = await service.request();
    await service.waits.outcomeOf(actionId);
    const actions = await actionsOf(test, eventId);
    expect(outline(actions)).toEqual(['DECLARE Requested', 'DECLARE Rejected']);
    expect(actions.at(-1)).toMatchObject({ originalActionId: actionId, annotation: { reason: 'no such mother' } });
    await settledAs(actionId, 'rejected');
  });

  it('stays requested after a 202, and is not posted again', async () => {
    country.behave(answers(202));
    const { eventId, actionId } = await service.request();
    await service.waits.outcomeOf(actionId);
    expect(outline(await actionsOf(test, eventId))).toEqual(['DECLARE Requested']);
    expect(await confirmationOf(test, actionId)).toEqual({ status: 'waiting', failures: 0, attempts: ['202'] });
  });

  it('is posted again until it is answered in a way that can be used', async () => {
    country.behave(
      inTurn(answers(500), answers(200, {}, 'thanks'), json(200, { registrationNumber: 7 }), json(200, {})),
    );
    const { eventId, actionId } = await service.request({ type: 'REGISTER' });
    await settledAs(actionId, 'accepted');
    expect(outline(await actionsOf(test, eventId)).slice(-2)).toEqual(['REGISTER Requested', 'REGISTER Accepted']);
    // The attempt that was accepted is recorded after what it has led to.
    const attempts = async () => (await confirmationOf(test, actionId)).attempts;
    await eventually('all four are recorded', async () => (await attempts()).length === 4);
    expect(await attempts()).toEqual([
      '500',
      'answer: body: must be a JSON object',
      'answer: registrationNumber: must be text of 1 to 100 characters',
      '200',
    ]);
  });

  it('is not posted by a claim from before the lock was lost: others may have claimed it since (W-16)', async () => {
    country.behave(answers(202));
    const posting = loseLockBeforePosting(service.app);
    const { actionId } = await service.request();
    await settledAs(actionId, 'waiting');
    expect([posting.mock.calls.length, country.notifications.length]).toEqual([2, 1]);
    posting.mockRestore();
  });

  it('is rejected by a 200 if the record has gone on meanwhile', async () => {
    country.behave(inTurn(answers(202), answers(200), answers(200)));
    const { eventId, actionId } = await service.request({ type: 'NOTIFY', declaration: { 'child.name': 'Jonn' } });
    await settledAs(actionId, 'waiting');
    const declared = await service.requestOn(eventId, { declaration: { 'child.name': 'John' } });
    await settledAs(declared.actionId, 'accepted');
    // As a replay does.
    await test.database.query(sql`
      update confirmation set status = 'pending', next_attempt_at = now() where action_id = ${actionId}`);
    await settledAs(actionId, 'rejected');
    const actions = await actionsOf(test, eventId);
    expect(outline(actions)).toEqual(['NOTIFY Requested', 'DECLARE Requested', 'DECLARE Accepted', 'NOTIFY Rejected']);
    expect(actions.at(-1)?.annotation).toEqual({
      reason: "The record has gone on: 'DECLARE' was requested after this 'NOTIFY', and is accepted.",
    });
  });

  it('stays requested when the schedule is exhausted, and says so', async () => {
    country.behave(answers(503));
    const { eventId, actionId } = await service.request();
    await settledAs(actionId, 'dead');
    expect(await confirmationOf(test, actionId)).toMatchObject({ failures: 4, attempts: ['503', '503', '503', '503'] });
    expect(outline(await actionsOf(test, eventId))).toEqual(['DECLARE Requested']);
  });
});

describe('the requests of a deleted draft', () => {
  it.each([
    ['waiting', 202],
    ['dead', 503],
  ])('are over where they were %s, and those with an answer keep it', async (status, code) => {
    const { eventId, actionId } = await service.request();
    await settledAs(actionId, 'accepted');
    country.behave(answers(code));
    const requested = await service.requestOn(eventId, { type: 'REGISTER' });
    await settledAs(requested.actionId, status);
    const command = { client: 'registrar', eventId, size: 1_000 };
    await service.writer.submit({ ...command, decide: () => ({ answer: undefined, change: { kind: 'delete' } }) });
    expect((await confirmationOf(test, requested.actionId)).status).toBe('over');
    expect((await confirmationOf(test, actionId)).status).toBe('accepted');
  });
});

describe('a registration', () => {
  const numberOf = async (eventId: Parameters<typeof actionsOf>[1]): Promise<string | null | undefined> =>
    (await actionsOf(test, eventId)).at(-1)?.registrationNumber;

  it('gets the number of the country configuration, or one by the pattern', async () => {
    country.behave(inTurn(json(200, { registrationNumber: 'COUNTRY-1' }), answers(200)));
    const first = await service.request({ type: 'REGISTER' });
    await settledAs(first.actionId, 'accepted');
    const second = await service.request({ type: 'REGISTER' });
    await settledAs(second.actionId, 'accepted');
    expect(await numberOf(first.eventId)).toBe('COUNTRY-1');
    expect(await numberOf(second.eventId)).toMatch(/^\d{4}0{6}\d[0-9A-Z]$/);
  });

  it('is rejected if the number is that of another event, and says why', async () => {
    country.behave(json(200, { registrationNumber: 'COUNTRY-2' }));
    const first = await service.request({ type: 'REGISTER' });
    await settledAs(first.actionId, 'accepted');
    const second = await service.request({ type: 'REGISTER' });
    await settledAs(second.actionId, 'rejected');
    expect((await actionsOf(test, second.eventId)).at(-1)).toMatchObject({
      status: 'Rejected',
      annotation: { reason: 'registrationNumber: is that of another event' },
    });
  });
});

describe('whoever waits for the outcome', () => {
  it('is told of it also when another process obtains it', async () => {
    const open: (() => void)[] = [];
    country.behave((_, answer) => open.push(() => answer.writeHead(200).end()));
    // It writes requests, but has no country configuration to post them to.
    const other = await startConfirmationService(test, {});
    try {
      const { eventId, actionId } = await other.request();
      const waiting = other.waits.outcomeOf(actionId);
      await eventually('it is posted', () => open.length === 1);
      open[0]?.();
      await waiting;
      expect(outline(await actionsOf(test, eventId))).toEqual(['DECLARE Requested', 'DECLARE Accepted']);
    } finally {
      await other.close();
    }
  });

  it('need not wait for what is posted again too late, nor once he has gone', async () => {
    country.behave(hangs);
    const { actionId } = await service.request();
    const gone = new AbortController();
    const waiting = service.waits.outcomeOf(actionId, gone.signal);
    gone.abort();
    await waiting;
    const retryAfter = answers(503, { 'retry-after': '3600' });
    country.behave(retryAfter);
    const late = await service.request({ type: 'NOTIFY' });
    await service.waits.outcomeOf(late.actionId);
    expect(await confirmationOf(test, late.actionId)).toEqual({ status: 'pending', failures: 1, attempts: ['503'] });
  });
});

describe('upkeep', () => {
  it('removes what was settled long ago, and nothing that has no answer', async () => {
    country.behave(inTurn(answers(200), answers(202)));
    const settled = await service.request();
    await settledAs(settled.actionId, 'accepted');
    const waiting = await service.request({ type: 'NOTIFY' });
    await settledAs(waiting.actionId, 'waiting');
    await test.database.query(sql`
      update confirmation set created_at = now() - interval '1 year', settled_at = settled_at - interval '31 days'`);
    await service.app.get(ConfirmationNotes, { strict: false }).remove(30);
    const left = await test.database.query<{ readonly id: string }>(sql`select action_id as id from confirmation`);
    expect(left).toEqual([{ id: waiting.actionId }]);
  });
});

describe('many requested actions', () => {
  it('wait while the country configuration is down, and are then each confirmed once', async () => {
    country.behave(answers(503, { 'retry-after': '1' }));
    const requested = await Promise.all(Array.from({ length: 300 }, () => service.request()));
    await eventually('each is posted', () => country.notifications.length >= requested.length);
    country.behave(answers(200));
    // The schedule is short: on a slow machine it is over for some, and an administrator replays them.
    const replayed = (): Promise<unknown> =>
      test.database.query(sql`
        update confirmation set status = 'pending', failures = 0, next_attempt_at = now() where status = 'dead'`);
    const counted = (): Promise<{ readonly status: string; readonly count: number }[]> =>
      test.database.query(sql`select status, count(*)::int as count from confirmation group by status`);
    await eventually('nothing waits', async () => {
      await replayed();
      return (await counted()).every(({ status }) => status === 'accepted');
    });
    expect(await counted()).toEqual([{ status: 'accepted', count: 300 }]);
    const courses = await test.database.query(sql`
      select courses.course, count(*)::int as count from (
        select string_agg(action ->> 'status', ' ' order by position, ordinality) as course
          from event join event_history on seq = event_seq,
               json_array_elements(actions::json) with ordinality as listed (action, ordinality)
         where event.id = any (${requested.map(({ eventId }) => eventId)}::uuid[]) and action ->> 'type' <> 'CREATE'
         group by event.id) as courses group by 1`);
    expect(courses).toEqual([{ course: 'Requested Accepted', count: 300 }]);
  });

  it('are not delayed by one that hangs', async () => {
    country.behave((request, answer, socket) => {
      (request.target.includes('/death/') ? hangs : answers(200))(request, answer, socket);
    });
    const hanging = await service.request({ type: 'NOTIFY' }, { type: 'death' });
    const others = await Promise.all(Array.from({ length: 20 }, () => service.request()));
    await Promise.all(others.map(({ actionId }) => settledAs(actionId, 'accepted')));
    expect(await confirmationOf(test, hanging.actionId)).toEqual({ status: 'pending', failures: 0, attempts: [] });
  });

  it('of one event are posted one at a time, in their order', async () => {
    const open: (() => void)[] = [];
    country.behave((_, answer) => {
      open.push(() => answer.writeHead(200).end());
    });
    const { eventId } = await service.request({ type: 'NOTIFY' });
    await eventually('the first is posted', () => open.length === 1);
    const { actionId: secondId } = await service.requestOn(eventId);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(open).toHaveLength(1);
    open[0]?.();
    await eventually('the second is posted', () => open.length === 2);
    open[1]?.();
    await settledAs(secondId, 'accepted');
    expect(outline(await actionsOf(test, eventId))).toEqual([
      'NOTIFY Requested',
      'DECLARE Requested',
      'NOTIFY Accepted',
      'DECLARE Accepted',
    ]);
  });
});
