import { EventEmitter, once } from 'node:events';

import { sql } from '../../src/sql/sql.js';
import { Housekeeping } from '../../src/webhooks/delivery/housekeeping.js';
import { aPublishedChange } from '../support/builders/a-published-change.js';
import { untilLocksAreAwaited } from '../support/database-activity.js';
import { subscribe } from '../support/deliveries.js';
import type { DeliveryService } from '../support/delivery-service.js';
import { startDeliveryService } from '../support/delivery-service.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';

let test: TestDatabase;
let service: DeliveryService;
beforeAll(async () => {
  test = await createTestDatabase();
  service = await startDeliveryService(test, {});
});
afterAll(async () => {
  await service.close();
  await test.drop();
});

const statuses = async (): Promise<readonly string[]> =>
  (await test.database.query<{ status: string }>(sql`select status from webhook_delivery`)).map(({ status }) => status);

it('a change is published though a subscription is removed between the reading and the writing of it', async () => {
  const { clientId, id } = await subscribe(service, { url: () => 'https://127.0.0.1:1/' });
  const housekeeping = service.app.get(Housekeeping, { strict: false });
  const ending = new EventEmitter();
  const held = test.database.transaction(async (transaction) => {
    // What is read after the subscriptions.
    await transaction.query(sql`lock table place in access exclusive mode`);
    ending.emit('locked');
    await once(ending, 'end');
  });
  await once(ending, 'locked');
  const publishing = service.publish(aPublishedChange());
  await untilLocksAreAwaited(test.database, 1, 'relation');
  await service.subscriptions.remove(clientId, id);
  await housekeeping.run();
  ending.emit('end');
  await held;
  await publishing;
  await housekeeping.run();
  expect(await statuses()).toEqual(['dropped']);
});
