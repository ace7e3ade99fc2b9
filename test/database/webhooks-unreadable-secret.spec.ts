import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import XHubSignature from 'x-hub-signature';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { SecretsBox } from '../../src/auth/secrets/secrets-box.js';
import { purposeOfShaSecret } from '../../src/auth/clients/system-clients.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { aPublishedChange } from '../support/builders/a-published-change.js';
import {
  deliveriesOf,
  many,
  openings,
  type Openings,
  statusOf,
  subscribe,
  type Subscribed,
  untilAll,
} from '../support/deliveries.js';
import type { DeliveryService } from '../support/delivery-service.js';
import { eventually } from '../support/eventually.js';
import type { ScriptedSubscriber } from '../support/scripted-subscriber.js';

type Received = ScriptedSubscriber['notifications'][number];

const OTHER_KEY = Buffer.alloc(32, 9);
const WITH_OTHER_KEY = { SECRETS_KEY_PREVIOUS: OTHER_KEY.toString('base64') };

/** What the client's row has had before, and what stands in it now. */
async function replaceSealed(
  { database }: Openings,
  { clientId }: Subscribed,
  sealed: (before: string) => string,
): Promise<string> {
  const [row] = await database().query<{ sealed: string }>(
    sql`select sha_secret_sealed as sealed from system_client where client_id = ${clientId}`,
  );
  const before = row?.sealed ?? '';
  await database().query(
    sql`update system_client set sha_secret_sealed = ${sealed(before)} where client_id = ${clientId}`,
  );
  return before;
}

const underAnotherKey =
  ({ clientId, key }: Subscribed) =>
  (): string =>
    new SecretsBox(OTHER_KEY).seal(key, purposeOfShaSecret(clientId));

const attemptsOf = async (
  service: DeliveryService,
  client: Subscribed,
): Promise<readonly (readonly [string, number])[]> =>
  (await deliveriesOf(service, client)).map(({ status, attempts }) => [status, attempts.length]);

/** Whether verifiers that are not ours, who know the secret, find each signature to be right. */
function genuine({ headers, body }: Received, secret: string): boolean {
  const text = body.toString();
  new Webhook(secret, { format: 'raw' }).verify(text, headers as Record<string, string>);
  const parsed = JSON.parse(text) as { hmac: string; context: readonly unknown[] };
  const hmac = createHmac('sha256', secret).update(JSON.stringify(parsed.context[0])).digest('hex');
  return (
    new XHubSignature('sha1', secret).verify(String(headers['x-hub-signature']), body) &&
    parsed.hmac === `sha256=${hmac}`
  );
}

const unreadableClients = async ({ app }: DeliveryService): Promise<string | undefined> => {
  const { registry } = app.get(Metrics);
  const text = await registry.getSingleMetricAsString('matricula_webhook_unreadable_clients');
  return text.split('\n').at(-1);
};

const opens = openings(() => ({}));

describe('deliveries', () => {
  it('wait for a client whose secret cannot be read, and for nobody else', async () => {
    const service = await opens.aService();
    const subscriber = await opens.aSubscriber();
    const bad = await subscribe(service, { url: () => subscriber.url('/bad') });
    const older = await subscribe(service, { url: () => subscriber.url('/older') }, 'BIRTH_REGISTERED', 'opencrvs-1x');
    const healthy = await subscribe(service, { url: () => subscriber.url('/healthy') });
    await replaceSealed(opens, bad, underAnotherKey(bad));
    await replaceSealed(opens, older, underAnotherKey(older));
    for (let round = 0; round < 3; round += 1) {
      await service.publish(...many(4));
      await untilAll(service, healthy, 'delivered');
    }
    const waiting = Array.from({ length: 12 }, () => ['pending', 0]);
    expect([await attemptsOf(service, bad), await attemptsOf(service, older)]).toEqual([waiting, waiting]);
    expect(await statusOf(service, bad)).toEqual(['active']);
    expect(await unreadableClients(service)).toBe('matricula_webhook_unreadable_clients 2');

    const knowing = await opens.aService(WITH_OTHER_KEY);
    await untilAll(knowing, bad, 'delivered');
    await untilAll(knowing, older, 'delivered');
    const received = subscriber.notifications.filter(({ target }) => target === '/bad');
    expect(received.map((one) => genuine(one, bad.key))).toEqual(Array.from({ length: 12 }, () => true));
    const ofOlder = subscriber.notifications.filter(({ target }) => target === '/older');
    const isVerified = ({ headers, body }: Received): unknown =>
      new Webhook(older.key, { format: 'raw' }).verify(body.toString(), headers as Record<string, string>);
    expect(ofOlder.map(isVerified)).toHaveLength(12);
  });

  it('wait unharmed where they were signed before their secret could not be read any more', async () => {
    const service = await opens.aService();
    const subscriber = await opens.aSubscriber();
    const bad = await subscribe(service, { url: () => subscriber.url('/bad') });
    await service.clients.setStatus(bad.clientId, 'deactivated', CLI);
    await service.publish(aPublishedChange());
    const before = await replaceSealed(opens, bad, underAnotherKey(bad));
    await service.clients.setStatus(bad.clientId, 'active', CLI);
    const healthy = await subscribe(service, { url: () => subscriber.url('/healthy') });
    await service.publish(aPublishedChange());
    await untilAll(service, healthy, 'delivered');
    expect(await attemptsOf(service, bad)).toEqual([
      ['pending', 0],
      ['pending', 0],
    ]);
    await replaceSealed(opens, bad, () => before);
    await untilAll(service, bad, 'delivered');
    const received = subscriber.notifications.filter(({ target }) => target === '/bad');
    expect(received.map((one) => genuine(one, bad.key))).toEqual([true, true]);
  });

  it('are signed with the new secret once one that is damaged was replaced, and its client has subscribed again', async () => {
    const service = await opens.aService();
    const subscriber = await opens.aSubscriber();
    const bad = await subscribe(service, { url: () => subscriber.url('/bad') });
    const healthy = await subscribe(service, { url: () => subscriber.url('/healthy') });
    // The text of another client's secret does not stand in for it, and that client is sent what is his.
    const [other] = await opens
      .database()
      .query<{ sealed: string }>(
        sql`select sha_secret_sealed as sealed from system_client where client_id = ${healthy.clientId}`,
      );
    await replaceSealed(opens, bad, () => other?.sealed ?? '');
    await service.publish(aPublishedChange());
    await untilAll(service, healthy, 'delivered');
    const fresh = await service.clients.rotateShaSecret(bad.clientId, CLI);
    await service.publish(aPublishedChange());
    await untilAll(service, healthy, 'delivered');
    expect(await attemptsOf(service, bad)).toEqual([
      ['pending', 0],
      ['pending', 0],
    ]);
    const [known] = (await service.subscriptions.all()).filter((one) => one.clientId === bad.clientId);
    if (known === undefined || fresh === undefined) throw new Error('not subscribed');
    const { clientId, topic, callback } = known;
    await service.subscriptions.subscribe({ clientId, topic, callback, format: undefined, query: undefined });
    await untilAll(service, bad, 'delivered');
    const received = (): readonly Received[] => subscriber.notifications.filter(({ target }) => target === '/bad');
    expect(received().map((one) => genuine(one, fresh.reveal()))).toEqual([true, true]);

    const [body] = received().map((one) => one.body.toString());
    await opens.database().query(sql`update webhook_delivery set status = 'pending', next_attempt_at = now()
                                      where subscription_id = ${bad.id}`);
    await eventually('made again', () => received().filter((one) => one.body.toString() === body).length === 2);
  });
});
