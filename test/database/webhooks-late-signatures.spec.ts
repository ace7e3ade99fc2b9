import { createHmac } from 'node:crypto';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { Secret } from '../../src/platform/config/secret.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { DueDeliveries, type Held, signLate } from '../../src/webhooks/delivery/due-deliveries.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { FAR_AWAY, many, subscribe, type Subscribed } from '../support/deliveries.js';
import { type DeliveryService, startDeliveryService } from '../support/delivery-service.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { removeWebhooks } from '../support/remove-webhooks.js';

/** A delivery as it is stored. */
interface Stored {
  readonly id: Uuid;
  readonly body: string;
  readonly unsignedHead: string | null;
  readonly shaSecretGeneration: number;
}

describe('deliveries that were published while their secret could not be read', () => {
  let test: TestDatabase;
  let service: DeliveryService;
  beforeAll(async () => {
    test = await createTestDatabase();
    service = await startDeliveryService(test);
  });
  afterAll(async () => {
    await service.close();
    await test.drop();
  });
  beforeEach(() => removeWebhooks(test));

  const TOKEN = aUuid(1);

  /** A subscription that the test holds: the service delivers nothing to it. */
  async function aHeldSubscription(): Promise<Subscribed> {
    const client = await subscribe(service, FAR_AWAY);
    await test.database.query(sql`
      update webhook_subscription set claim_token = ${TOKEN}, claimed_until = now() + interval '1 hour'`);
    return client;
  }

  /** Publishes while every secret of clients is damaged. */
  async function publishUnsigned(count: number): Promise<void> {
    const { database } = test;
    await database.query(sql`update system_client set sha_secret_sealed = 'x' || sha_secret_sealed`);
    await database.query(sql`update replaced_sha_secret set sealed = 'x' || sealed`);
    await service.publish(...many(count));
    await database.query(sql`update system_client set sha_secret_sealed = substring(sha_secret_sealed from 2)`);
    await database.query(sql`update replaced_sha_secret set sealed = substring(sealed from 2)`);
  }

  const stored = (): Promise<Stored[]> =>
    test.database.query<Stored>(sql`
      select d.id, head || body || tail as body, case when sha_secret_generation < 0 then head end as "unsignedHead",
             sha_secret_generation as "shaSecretGeneration"
        from webhook_delivery d join webhook_context c on c.id = context_id order by d.id`);

  /** Whether the signature in the body is made with that secret. */
  const isSignedWith = (body: string, secret: string): boolean => {
    const parsed = JSON.parse(body) as { hmac: string; context: readonly unknown[] };
    const hmac = createHmac('sha256', secret).update(JSON.stringify(parsed.context[0])).digest('hex');
    return parsed.hmac === `sha256=${hmac}`;
  };

  it('are signed once: whoever read them as well, and comes later, sends none of them', async () => {
    await aHeldSubscription();
    await publishUnsigned(2);
    const read = await stored();
    expect(read.map(({ shaSecretGeneration }) => shaSecretGeneration)).toEqual([-1, -1]);
    const signed = await signLate(test.database, read, { secret: new Secret('former'), generation: 0 });
    expect(signed.map(({ body }) => isSignedWith(body, 'former'))).toEqual([true, true]);
    expect(await signLate(test.database, read, { secret: new Secret('latter'), generation: 1 })).toEqual([]);
    const left = signed.map(({ id, body }) => ({ id, body, unsignedHead: null, shaSecretGeneration: 0 }));
    expect(await stored()).toEqual(left);
  });

  it.each([
    ['that under which it was subscribed, during the overlap', '0 seconds', 0],
    ['the current one after that', '1 day', 1],
  ])('are signed with one secret, in their bodies and in headers: %s', async (_, ago, generation) => {
    const { clientId, id, key } = await aHeldSubscription();
    const fresh = (await service.clients.rotateShaSecret(clientId, CLI))?.reveal() ?? '';
    await publishUnsigned(1);
    await test.database.query(sql`update replaced_sha_secret set replaced_at = replaced_at - ${ago}::interval`);
    const claim = { subscriptionId: id, token: TOKEN };
    const due = service.app.get(DueDeliveries, { strict: false });
    const held = (await due.read(claim, [], { most: 5, bytes: 1_000_000 })) as Held;
    const own = generation === 0 ? key : fresh;
    const [delivery] = held.deliveries;
    expect(held.deliveries).toHaveLength(1);
    expect({
      generation: delivery?.shaSecretGeneration,
      header: held.secrets.of(delivery?.shaSecretGeneration ?? -1).reveal() === own,
      body: isSignedWith(delivery?.body.toString() ?? '', own),
    }).toEqual({ generation, header: true, body: true });
    expect(await stored()).toEqual([
      { id: delivery?.id, body: delivery?.body.toString(), unsignedHead: null, shaSecretGeneration: generation },
    ]);
  });
});
