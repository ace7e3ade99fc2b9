import type { RunningApplication } from '../support/application.js';
import { startApplication } from '../support/application.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import type { CommandResult } from '../support/command-line.js';
import { aSecretsKey, matricula, succeed } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import type { ScriptedSubscriber } from '../support/scripted-subscriber.js';
import { answers, startScriptedSubscriber } from '../support/scripted-subscriber.js';

const SECRETS_KEY = aSecretsKey();
const EVER = ['--since', '2000-01-01T00:00:00Z', '--until', '2100-01-01T00:00:00Z'];
const UUID = '[0-9a-f-]{36}';

interface Delivery {
  readonly id: string;
  readonly status: string;
  readonly eventId: string;
  readonly attempts: readonly { readonly status: number | null }[];
}

interface Page {
  readonly deliveries: readonly Delivery[];
  readonly cursor: string | null;
}

let service: RunningApplication;
let subscriber: ScriptedSubscriber;
let env: Readonly<Record<string, string>>;
let client: Awaited<ReturnType<RunningApplication['registerClient']>>;
let webhookId: string;
beforeAll(async () => {
  subscriber = await startScriptedSubscriber();
  service = await startApplication({
    env: {
      SECRETS_KEY,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOK_CA: subscriber.authority,
      WEBHOOK_RETRY_SECONDS: '0.1',
    },
  });
  env = { SECRETS_KEY, DATABASE_URL: service.database.url };
});
afterAll(async () => {
  await service.stop();
  await subscriber.close();
});

const webhooks = (...arguments_: readonly string[]): Promise<CommandResult> =>
  matricula(['webhooks', ...arguments_], env);
const asJson = async (...arguments_: readonly string[]): Promise<unknown> =>
  JSON.parse(await succeed(['webhooks', ...arguments_, '--json'], env));
const page = async (...options: readonly string[]): Promise<Page> =>
  (await asJson('deliveries', webhookId, ...options)) as Page;

async function subscribe(path: string): Promise<string> {
  client = await service.registerClient('WEBHOOK');
  const callback = subscriber.url(path);
  const hub = { callback, mode: 'subscribe', topic: 'BIRTH_REGISTERED', secret: client.shaSecret };
  const { status } = await service.request('POST', '/webhooks', { token: client.token, body: { hub } });
  expect(status).toBe(202);
  const { json } = await service.request('GET', '/webhooks', { token: client.token });
  return (json as { entries: { id: string }[] }).entries[0]?.id ?? '';
}

/** Registers a birth, and yields the id of the event. */
async function register(number: number): Promise<string> {
  const registration = anAction({ type: 'REGISTER', registrationNumber: `2026B${number}` });
  const body = anEventDocument({ actions: [anAction(), registration] });
  const { status } = await service.request('POST', '/trigger/events/birth/actions/register', {
    listener: 'internal',
    token: await service.issuer.token(),
    body,
  });
  expect(status).toBe(200);
  return body.id;
}

const settled = (status: string, count: number): Promise<void> =>
  eventually(`${count} are ${status}`, async () => {
    const path = `/webhooks/${webhookId}/deliveries?status=${status}`;
    const { json } = await service.request('GET', path, { token: client.token });
    return (json as Page).deliveries.length === count;
  });

describe('matricula webhooks', () => {
  it('has nothing to list before anybody subscribes', async () => {
    expect(await webhooks('list')).toEqual({ code: 0, stdout: 'There are no subscriptions.\n', stderr: '' });
    expect(await asJson('list')).toEqual([]);
  });

  it('lists subscriptions of every client, and tells no secrets', async () => {
    webhookId = await subscribe('/hook');
    expect(await asJson('list')).toEqual([
      {
        id: webhookId,
        client_id: client.clientId,
        topic: 'BIRTH_REGISTERED',
        callback: subscriber.url(),
        status: 'active',
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      },
    ]);
    expect(await succeed(['webhooks', 'list'], env)).toBe(
      `${webhookId}  active    BIRTH_REGISTERED  ${client.clientId}  ${subscriber.url()}\n`,
    );
    expect(await webhooks('deliveries', webhookId)).toEqual({
      code: 0,
      stdout: 'There are no deliveries.\n',
      stderr: '',
    });
  });

  it('lists deliveries, the newest first and page by page, with the last attempt of each', async () => {
    subscriber.behave(answers(500));
    const events = [await register(1), await register(2), await register(3)];
    await settled('dead', 3);
    const whole = await page();
    expect(whole.deliveries.map(({ eventId, status, attempts }) => [eventId, status, attempts.length])).toEqual(
      events.toReversed().map((id) => [id, 'dead', 2]),
    );
    expect(whole.cursor).toBe(null);

    const first = await succeed(['webhooks', 'deliveries', webhookId, '--limit', '2'], env);
    const [line, , more] = first.split('\n');
    expect(line).toMatch(
      new RegExp(`^${UUID}  \\S+Z  dead       BIRTH_REGISTERED  ${events[2] ?? ''}  attempts: 2, the last: 500$`),
    );
    const [, cursor = ''] = /^There are more: --cursor (\S+)$/.exec(more ?? '') ?? [];
    expect((await page('--limit', '2', '--cursor', cursor)).deliveries).toEqual(whole.deliveries.slice(2));
    expect((await page('--status', 'delivered')).deliveries).toEqual([]);
  });

  it('has a running service deliver again: one, or those of a time', async () => {
    subscriber.behave(answers(200));
    subscriber.forget();
    const [newest] = (await page()).deliveries;
    expect(await asJson('replay', webhookId, '--delivery', newest?.id ?? '')).toEqual({ replayed: 1 });
    await settled('delivered', 1);
    expect(subscriber.notifications.map(({ headers }) => headers['webhook-id'])).toEqual([newest?.id]);

    expect(await asJson('replay', webhookId, ...EVER, '--status', 'dropped')).toEqual({ replayed: 0 });
    expect(await succeed(['webhooks', 'replay', webhookId, ...EVER], env)).toBe('2 to be delivered again\n');
    await settled('delivered', 3);
    // A delivered one too, when it is asked for.
    expect(await asJson('replay', webhookId, ...EVER, '--status', 'delivered')).toEqual({ replayed: 3 });
    await eventually('again', () => subscriber.notifications.length === 6);
    expect(new Set(subscriber.notifications.map(({ body }) => body.toString())).size).toBe(3);
  });

  it('refuses to replay for a subscription that has ended', async () => {
    const first = webhookId;
    webhookId = await subscribe('/ending');
    subscriber.behave(answers(410));
    await register(4);
    await settled('dropped', 1);
    // The subscription before was notified too, on its own.
    const listed = async () => (await asJson('list')) as { id: string; status: string }[];
    await eventually('both have ended', async () => (await listed()).every(({ status }) => status === 'ended'));
    expect(await webhooks('replay', webhookId, ...EVER)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The subscription is ended; its client must subscribe again first.\n',
    });
    expect((await listed()).map(({ id, status }) => [id, status])).toEqual([
      [first, 'ended'],
      [webhookId, 'ended'],
    ]);
  });

  it('ends with 1 where there is no such thing', async () => {
    const [unknown, delivery] = [aUuid(), aUuid()];
    const id = await subscribe('/mistakes');
    const results = [await webhooks('deliveries', unknown), await webhooks('replay', id, '--delivery', delivery)];
    expect(results).toEqual([
      { code: 1, stdout: '', stderr: `There is no subscription ${unknown}.\n` },
      { code: 1, stdout: '', stderr: `There is no delivery ${delivery}.\n` },
    ]);
  });

  it.each([
    [['deliveries'], "missing required argument 'webhook_id'"],
    [['deliveries', 'x'], 'error: "x" is no id: a UUID is needed\n'],
    [['deliveries', aUuid(), '--status', 'lost'], 'Allowed choices are pending, delivered, dead, dropped.'],
    [['deliveries', aUuid(), '--limit', '0'], 'limit: must be a whole number from 1 to 1000\n'],
    [['replay', 'x', ...EVER], 'error: "x" is no id: a UUID is needed\n'],
    [['replay', aUuid(), '--delivery', 'x'], 'error: "x" is no id: a UUID is needed\n'],
    [['replay', aUuid(), '--delivery', aUuid(), ...EVER], "option '--delivery <id>' cannot be used with option"],
    [
      ['replay', aUuid(), '--since', 'yesterday'],
      '  since: must be a date-time in UTC such as 2026-01-02T03:04:05Z\n  until: is required\n',
    ],
  ])('ends with 2 when it is used wrongly, before it asks for the database: %j', async (arguments_, message) => {
    const away = { ...env, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', DATABASE_WAIT_SECONDS: '0' };
    expect(await matricula(['webhooks', ...arguments_], away)).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message) as string,
    });
  });
});
