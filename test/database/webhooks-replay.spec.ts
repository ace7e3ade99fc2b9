import { aUuid } from '../support/builders/a-uuid.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { eventually } from '../support/eventually.js';
import type { TestDatabase } from '../support/postgres.js';
import type { ScriptedSubscriber } from '../support/scripted-subscriber.js';
import { answers } from '../support/scripted-subscriber.js';
import type { TestClient, WebhookService } from '../support/webhook-routes.js';
import { removeWebhooks } from '../support/remove-webhooks.js';
import { askingWebhooks, makeGood, startWebhookService } from '../support/webhook-routes.js';

let service: WebhookService;
let test: TestDatabase;
let subscriber: ScriptedSubscriber;
let client: TestClient;

beforeAll(async () => {
  service = await startWebhookService();
  ({ test, subscriber } = service);
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await aClient(['webhook']);
  makeGood(subscriber);
});
afterEach(() => removeWebhooks(test));

const { aClient, ask, subscribe, entries, trigger, aRegistration } = askingWebhooks(() => ({ ...service, client }));

describe('the deliveries of a subscription', () => {
  const publish = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) {
      await trigger(anEventDocument({ actions: [anAction(), aRegistration()] }));
    }
  };
  interface Page {
    readonly deliveries: readonly {
      readonly id: string;
      readonly status: string;
      readonly attempts: readonly unknown[];
    }[];
    readonly cursor: string | null;
  }
  const page = async (query = ''): Promise<Page> => {
    const [entry] = await entries();
    return (await ask('GET', `/webhooks/${entry?.id ?? ''}/deliveries${query}`, client.token)).body as Page;
  };
  const settled = (count: number, status: string): Promise<void> =>
    eventually(`${count} are ${status}`, async () => (await page(`?status=${status}`)).deliveries.length === count);

  it('are listed page by page, the newest first, with what was tried', async () => {
    await subscribe();
    await publish(5);
    await settled(5, 'delivered');
    const whole = await page();
    expect([whole.deliveries.length, whole.cursor]).toEqual([5, null]);
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const one = await page(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      ids.push(...one.deliveries.map(({ id }) => id));
      ({ cursor } = one);
    }
    expect(ids).toEqual(whole.deliveries.map(({ id }) => id));
    expect(whole.deliveries[0]?.attempts).toMatchObject([{ status: 200, error: null, response: '' }]);
  });

  it('are made again, one or those of a time, with the same bytes', async () => {
    subscriber.behave(answers(500));
    await subscribe();
    await publish(2);
    await settled(2, 'dead');
    subscriber.behave(answers(200));
    subscriber.forget();
    const [entry] = await entries();
    const base = `/webhooks/${entry?.id ?? ''}`;
    const [newest] = (await page()).deliveries;
    const one = `${base}/deliveries/${newest?.id ?? ''}/replay`;
    expect(await ask('POST', one, client.token)).toEqual({ status: 202, body: undefined });
    await settled(1, 'delivered');
    const time = { since: '2020-01-01T00:00:00Z', until: '2120-01-01T00:00:00Z' };
    expect(await ask('POST', `${base}/replay`, client.token, time)).toEqual({ status: 202, body: { replayed: 1 } });
    await settled(2, 'delivered');
    expect(subscriber.notifications).toHaveLength(2);

    expect((await ask('POST', `${base}/deliveries/${aUuid()}/replay`, client.token)).status).toBe(404);
    expect((await ask('POST', `${base}/replay`, client.token, {})).status).toBe(400);
    expect((await ask('GET', `${base}/deliveries?limit=0`, client.token)).status).toBe(400);
    const other = await aClient(['webhook']);
    expect((await ask('POST', one, other.token)).status).toBe(404);
    expect((await ask('GET', `${base}/deliveries`, other.token)).status).toBe(404);
  });

  it('are not made again for a subscription that has ended', async () => {
    subscriber.behave(answers(410));
    await subscribe();
    await publish(1);
    await settled(1, 'dropped');
    const [entry] = await entries();
    expect(entry).toMatchObject({ status: 'ended' });
    const [delivery] = (await page()).deliveries;
    const path = `/webhooks/${entry?.id ?? ''}/deliveries/${delivery?.id ?? ''}/replay`;
    expect((await ask('POST', path, client.token)).status).toBe(409);
    subscriber.behave(answers(200));
    await subscribe();
    expect((await ask('POST', path, client.token)).status).toBe(202);
    await settled(1, 'delivered');
  });
});
