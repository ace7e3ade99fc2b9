import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import XHubSignature from 'x-hub-signature';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { DeliveryUpkeep } from '../../src/webhooks/delivery/delivery-upkeep.js';
import { aPublishedChange } from '../support/builders/a-published-change.js';
import { type DeliveryService, startDeliveryService } from '../support/delivery-service.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { type ScriptedSubscriber, startScriptedSubscriber } from '../support/scripted-subscriber.js';
import { removeWebhooks } from '../support/remove-webhooks.js';

type Received = ScriptedSubscriber['notifications'][number];

const OVERLAP = sql`interval '1 day'`;

let test: TestDatabase;
let service: DeliveryService;
let subscriber: ScriptedSubscriber;
let clientId: Uuid;
let old: string;

beforeAll(async () => {
  test = await createTestDatabase();
  service = await startDeliveryService(test);
  subscriber = await startScriptedSubscriber();
});
afterAll(async () => {
  await service.close();
  await subscriber.close();
  await test.drop();
});
beforeEach(async () => {
  subscriber.forget();
  await removeWebhooks(test);
  const client = await service.registerClient();
  clientId = client.clientId;
  old = client.shaSecret.reveal();
  await subscribe();
});

const subscribe = (): Promise<void> =>
  service.subscriptions.subscribe({
    clientId,
    topic: 'BIRTH_REGISTERED',
    callback: subscriber.url(),
    format: undefined,
    query: undefined,
  });

const rotate = async (): Promise<string> => (await service.clients.rotateShaSecret(clientId, CLI))?.reveal() ?? '';

/** As if the latest rotation had been so much earlier. */
const anOverlapPasses = (): Promise<unknown> =>
  test.database.query(
    sql`update replaced_sha_secret set replaced_at = replaced_at - ${OVERLAP} where client_id = ${clientId}`,
  );

async function notified(): Promise<Received> {
  const before = subscriber.notifications.length;
  await service.publish(aPublishedChange());
  return next(before);
}

async function next(before: number): Promise<Received> {
  await eventually('notified', () => subscriber.notifications.length > before);
  const received = subscriber.notifications[before];
  if (received === undefined) throw new Error('nothing was received');
  return received;
}

/** What verifiers that are not ours say of a notification to somebody who knows the secret. */
function genuine({ headers, body }: Received, secret: string): Record<'standard' | 'xHub' | 'hmac', boolean> {
  const text = body.toString();
  const parsed = JSON.parse(text) as { hmac: string; context: readonly unknown[] };
  return {
    standard: isVerified(() => new Webhook(secret, { format: 'raw' }).verify(text, headers as Record<string, string>)),
    xHub: new XHubSignature('sha1', secret).verify(String(headers['x-hub-signature']), body),
    // The context is ASCII without what JSON.stringify would write in another way.
    hmac:
      parsed.hmac === `sha256=${createHmac('sha256', secret).update(JSON.stringify(parsed.context[0])).digest('hex')}`,
  };
}

function isVerified(verify: () => unknown): boolean {
  try {
    verify();
    return true;
  } catch {
    return false;
  }
}

const ALL = { standard: true, xHub: true, hmac: true };
const NONE = { standard: false, xHub: false, hmac: false };
const STANDARD_ALONE = { standard: true, xHub: false, hmac: false };

describe('a sha_secret that was replaced', () => {
  it('signs what is published for a day more, beside the new one', async () => {
    expect(genuine(await notified(), old)).toEqual(ALL);
    const fresh = await rotate();
    const during = await notified();
    expect([genuine(during, old), genuine(during, fresh)]).toEqual([ALL, STANDARD_ALONE]);
    expect(String(during.headers['webhook-signature']).split(' ')).toHaveLength(2);
    await anOverlapPasses();
    const after = await notified();
    expect([genuine(after, old), genuine(after, fresh)]).toEqual([NONE, ALL]);
    expect(String(after.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });

  it('gives way to the new one as soon as the subscription is renewed', async () => {
    const fresh = await rotate();
    await subscribe();
    const renewed = await notified();
    expect([genuine(renewed, old), genuine(renewed, fresh)]).toEqual([STANDARD_ALONE, ALL]);
  });

  it('stays that of what was made under it, in replays too', async () => {
    const made = await notified();
    const fresh = await rotate();
    const [subscription] = (await service.subscriptions.all()).filter((one) => one.clientId === clientId);
    if (subscription === undefined) throw new Error('not subscribed');
    const replay = async (): Promise<Received> => {
      const before = subscriber.notifications.length;
      const page = { limit: 10 };
      await eventually('delivered', async () => {
        const { deliveries } = await service.log.page(subscription.id, page);
        return deliveries.every(({ status }) => status === 'delivered');
      });
      await test.database.query(sql`update webhook_delivery set status = 'pending', next_attempt_at = now()`);
      await test.database.query(sql`select pg_notify('delivery_due', '')`);
      return next(before);
    };
    const during = await replay();
    expect(during.body.equals(made.body)).toBe(true);
    expect([genuine(during, old), genuine(during, fresh)]).toEqual([ALL, STANDARD_ALONE]);
    await anOverlapPasses();
    const after = await replay();
    expect(after.body.equals(made.body)).toBe(true);
    expect([genuine(after, old), genuine(after, fresh)]).toEqual([ALL, STANDARD_ALONE]);
  });

  it('is followed by the newest after several rotations', async () => {
    const second = await rotate();
    const third = await rotate();
    const during = await notified();
    expect([genuine(during, old), genuine(during, second).xHub, genuine(during, third)]).toEqual([
      ALL,
      false,
      STANDARD_ALONE,
    ]);
    await anOverlapPasses();
    expect(genuine(await notified(), third)).toEqual(ALL);
  });

  it('is forgotten when the last delivery that was made under it has been deleted', async () => {
    await rotate();
    const kept = (): Promise<unknown[]> =>
      test.database.query(sql`select generation from replaced_sha_secret where client_id = ${clientId}`);
    const upkeep = service.app.get(DeliveryUpkeep, { strict: false });
    // It signed for a day more; what was made then is kept for 30 days, and removed within another.
    for (const [hours, count] of [
      [0, 1],
      [32 * 24 - 1, 1],
      [32 * 24 + 1, 0],
    ] as const) {
      await test.database.query(sql`
        update replaced_sha_secret set replaced_at = now() - ${hours} * interval '1 hour'`);
      await upkeep.run();
      expect(await kept()).toHaveLength(count);
    }
  });
});
