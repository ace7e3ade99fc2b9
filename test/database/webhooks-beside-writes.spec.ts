import { EventEmitter, once } from 'node:events';
import { AuditLog } from '../../src/platform/audit/audit-log.js';
import { AuditWriter } from '../../src/platform/audit/audit-writer.js';
import { AuditDatabase } from '../../src/platform/database/pools/pools.js';
import { parseRegistrationNumberPattern } from '../../src/kernel/domain/registration-number-pattern.js';
import { RegistrationNumbers } from '../../src/events/write/registration-numbers.js';
import { EventWriter } from '../../src/events/write/event-writer.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { Publisher } from '../../src/webhooks/delivery/publisher.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { untilLocksAreAwaited } from '../support/database-activity.js';
import { subscribe } from '../support/deliveries.js';
import { type DeliveryService, startDeliveryService } from '../support/delivery-service.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

let test: TestDatabase;
let service: DeliveryService;
let writer: EventWriter;
beforeAll(async () => {
  test = await createTestDatabase();
  const { database } = test;
  service = await startDeliveryService(test, {});
  const pattern = parseRegistrationNumberPattern('{sequence:4}');
  if (pattern === undefined) throw new Error('the pattern is none');
  const numbers = new RegistrationNumbers(database, { REGISTRATION_NUMBER_PATTERN: pattern, TIMEZONE: 'UTC' });
  const audit = new AuditLog(new AuditWriter(new AuditDatabase(database.primary)));
  writer = new EventWriter(
    database,
    numbers,
    database.primary,
    WITHOUT_FORMS,
    audit,
    service.app.get(Publisher, { strict: false }),
  );
});
afterAll(async () => {
  await service.close();
  await test.drop();
});

let registered = 0;

/** Registers a birth of a child with these names. */
async function register(firstname: string, surname: string): Promise<void> {
  registered += 1;
  const declaration = { 'child.name': { firstname, surname } };
  const registration = anAction({ type: 'REGISTER', registrationNumber: `B-${registered}` });
  const document = anEventDocument({ actions: [anAction(), anAction({ type: 'DECLARE', declaration }), registration] });
  await writer.submit({
    ...{ client: 'feed', eventId: document.id, size: 1_000, publishes: ['REGISTER'] },
    decide: () => ({ answer: undefined, change: { kind: 'create', document } }),
  });
}

it('registrations that share a word do not wait for each other while a new subscription is read', async () => {
  await subscribe(service, { url: () => 'https://127.0.0.1:1/' });
  await register('Ana', 'Phiri');
  await subscribe(service, { url: () => 'https://127.0.0.1:2/' });
  const ending = new EventEmitter();
  const word = test.database.transaction(async (transaction) => {
    await transaction.query(sql`insert into fuzzy_word (path_id, word) select id, 'banda' from fuzzy_path`);
    ending.emit('written');
    await once(ending, 'end');
  });
  await once(ending, 'written');
  // It reads the subscription, and waits for the first of its words.
  const first = register('Banda', 'Zulu').catch((error: unknown) => error);
  await untilLocksAreAwaited(test.database);
  try {
    // It has the other word, and waits for nobody.
    await register('Ana', 'Zulu');
  } finally {
    ending.emit('end');
    await word;
  }
  expect(await first).toBeUndefined();
  const deliveries = await test.database.query(sql`select from webhook_delivery`);
  expect(deliveries).toHaveLength(1 + 2 + 2);
});
