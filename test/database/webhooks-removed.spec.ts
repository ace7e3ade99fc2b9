import { EventEmitter, once } from 'node:events';
import { isSqlError } from '../../src/kernel/errors/sql-state.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { DeliveryUpkeep } from '../../src/webhooks/delivery/delivery-upkeep.js';
import { aPublishedChange } from '../support/builders/a-published-change.js';
import { untilLocksAreAwaited } from '../support/database-activity.js';
import { subscribe } from '../support/deliveries.js';
import { type DeliveryService, startDeliveryService } from '../support/delivery-service.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

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
  const upkeep = service.app.get(DeliveryUpkeep, { strict: false });
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
  await upkeep.run();
  ending.emit('end');
  await held;
  await publishing;
  await upkeep.run();
  expect(await statuses()).toEqual(['dropped']);
});

it('a subscription is removed though others lock it in another order', async () => {
  // On a busy machine the server may end the transaction here instead of the other: then there was nothing to see.
  for (let isSeen = false; !isSeen;) {
    const { clientId, id } = await subscribe(service, { url: () => 'https://127.0.0.1:1/' });
    let removed: Promise<boolean> | undefined;
    const locked = test.database.transaction(async (transaction) => {
      await transaction.query(sql`select from webhook_topic for update`);
      removed = service.subscriptions.remove(clientId, id);
      await eventually('it waits for the topic', async () => {
        const waiting = await test.database.query(sql`
          select from pg_locks join pg_stat_activity using (pid)
           where not granted and datname = current_database() and query like '%update webhook_subscription%'`);
        return waiting.length > 0;
      });
      await transaction.query(sql`select from webhook_subscription where id = ${id} for update`);
    });
    isSeen = await locked.then(
      () => true,
      (error: unknown) => {
        if (!isSqlError(error, 'deadlockDetected')) throw error;
        return false;
      },
    );
    expect(await removed).toBe(true);
  }
});
