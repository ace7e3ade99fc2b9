import { AsyncLocalStorage } from 'node:async_hooks';
import { AuditLog } from '../../src/platform/audit/audit-log.js';
import { AuditWriter } from '../../src/platform/audit/audit-writer.js';
import { AuditDatabase } from '../../src/platform/database/pools/pools.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import type { RegistrationNumbers } from '../../src/events/write/registration-numbers.js';
import { EventWriter } from '../../src/events/write/event-writer.js';
import type { Outgoing, OutgoingAction } from '../../src/events/write/acceptance.js';
import type { PublishedChange } from '../../src/events/write/event-publisher.js';
import type { Publisher } from '../../src/webhooks/delivery/publisher.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aPublishedChange } from '../support/builders/a-published-change.js';
import { aTrackingId } from '../support/builders/a-tracking-id.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { subscribe } from '../support/deliveries.js';
import { startDeliveryService } from '../support/delivery-service.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const requests = new AsyncLocalStorage<string>();
const nothing = (): void => undefined;

it('what follows from commands that are written together has the id of the request of each (G-5)', async () => {
  const published: PublishedChange[] = [];
  const posted: OutgoingAction[] = [];
  const publisher = {
    look: () => Promise.resolve(undefined),
    publish: (_: unknown, changes: readonly PublishedChange[]) => {
      published.push(...changes);
      return Promise.resolve(undefined);
    },
  };
  const outgoing = {
    write: (_: unknown, actions: readonly OutgoingAction[]) => {
      posted.push(...actions);
      return Promise.resolve();
    },
    announce: nothing,
  };
  const writer = new EventWriter(
    test.database,
    { reserve: () => Promise.resolve([]) } as unknown as RegistrationNumbers,
    test.database.primary,
    WITHOUT_FORMS,
    new AuditLog(new AuditWriter(new AuditDatabase(test.database.primary))),
    publisher as unknown as Publisher,
    outgoing as unknown as Outgoing,
    undefined,
    () => requests.getStore(),
  );
  const expected = new Map<Uuid, string>();
  const submitted = (given: string, correlationId?: string): Promise<unknown> => {
    const requested = anAction({ type: 'NOTIFY', status: 'Requested' });
    const document = anEventDocument({ trackingId: aTrackingId(), actions: [anAction(), requested] });
    expected.set(document.id, correlationId ?? given);
    const command = { client: given, eventId: document.id, size: 1, correlationId };
    const change = { kind: 'create', document } as const;
    return requests.run(given, () =>
      writer.submit({ ...command, decide: () => ({ answer: undefined, change, outgoing: [requested] }) }),
    );
  };
  await Promise.all([submitted('first'), submitted('second'), submitted('third', 'of an earlier request')]);

  const ids = (of: readonly (readonly [Uuid, string | undefined])[]): Record<string, string | undefined> =>
    Object.fromEntries(of);
  expect(ids(published.map(({ record, correlationId }) => [record.id, correlationId]))).toEqual(ids([...expected]));
  expect(ids(posted.map(({ eventId, correlationId }) => [eventId, correlationId]))).toEqual(ids([...expected]));
});

it('the outbox keeps of each change the id of its own request', async () => {
  const service = await startDeliveryService(test);
  try {
    await subscribe(service, { url: () => 'https://127.0.0.1:1/' });
    const changes = ['request-1', 'request-2'].map((correlationId) => aPublishedChange({ correlationId }));
    await service.publish(...changes);
    const rows = await test.database.query<{ readonly eventId: Uuid; readonly correlationId: string }>(
      sql`select event_id as "eventId", correlation_id as "correlationId" from webhook_delivery order by 2`,
    );
    expect(rows).toEqual(changes.map(({ record, correlationId }) => ({ eventId: record.id, correlationId })));
  } finally {
    await service.close();
  }
});
