import type { INestApplicationContext } from '@nestjs/common';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { SystemClients } from '../../src/auth/clients/system-clients.js';
import { readConfig } from '../../src/platform/config/read-config.js';
import type { Secret } from '../../src/platform/config/secret.js';
import { ChangeFeed } from '../../src/platform/database/connection/change-feed.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { DeliveryLog } from '../../src/webhooks/delivery/delivery-log.js';
import { Deliveries } from '../../src/webhooks/delivery/deliveries.js';
import type { PublishedChange } from '../../src/events/write/event-publisher.js';
import { Publisher } from '../../src/webhooks/delivery/publisher.js';
import { type FilteredRecord, RecordFilter, type RecordTest } from '../../src/webhooks/subscriptions/record-filter.js';
import { Subscriptions } from '../../src/webhooks/subscriptions/subscriptions.js';
import { CORRELATION_ID } from '../../src/auth/access/request-target.js';
import { AuthModule } from '../../src/auth/auth.module.js';
import { EventsModule } from '../../src/events/events.module.js';
import { WebhooksModule } from '../../src/webhooks/webhooks.module.js';
import type { TestDatabase } from './postgres.js';
import { testAuthority } from './scripted-subscriber.js';
import { startModules } from './start-modules.js';

/** Webhooks without the rest of the service: what publishes and delivers, as one process of several may. */
export interface DeliveryService {
  readonly app: INestApplicationContext;
  readonly subscriptions: Subscriptions;
  readonly log: DeliveryLog;
  readonly clients: SystemClients;
  readonly registerClient: () => Promise<{ readonly clientId: Uuid; readonly shaSecret: Secret }>;
  /** Publishes in a transaction of its own. */
  readonly publish: (...changes: readonly PublishedChange[]) => Promise<void>;
  readonly close: (graceMs?: number) => Promise<void>;
}

/** Meets every restriction: tests of queries and scopes run against the real one. */
class EverythingFilter implements Pick<RecordFilter, keyof RecordFilter> {
  check(): void {
    // Everything is a query.
  }

  ready(): Promise<void> {
    return Promise.resolve();
  }

  testOf(): RecordTest {
    return () => true;
  }

  shown({ record }: FilteredRecord): EventRecord {
    return record;
  }
}

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

/** Nothing runs out while a test waits for something else, unless `environment` says otherwise. */
export async function startDeliveryService(
  { url, database }: TestDatabase,
  environment: Readonly<Record<string, string>> = {},
): Promise<DeliveryService> {
  const config = readConfig({
    SECRETS_KEY,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_CA: testAuthority.certificate,
    WEBHOOK_TIMEOUT_SECONDS: '60',
    WEBHOOK_LEASE_SECONDS: '70',
    WEBHOOK_RETRY_SECONDS: '0.1,0.1,0.1',
    ...environment,
  });
  const { providers = [], ...webhooks } = await WebhooksModule.forService(config, 'webhooks');
  const unfiltered = { ...webhooks, providers: [...providers, { provide: RecordFilter, useClass: EverythingFilter }] };
  const app = await startModules(url, config, {
    imports: [AuthModule, EventsModule, unfiltered],
    providers: [{ provide: CORRELATION_ID, useValue: () => 'correlation-1' }],
  });
  await app.get(ChangeFeed).start();
  const clients = app.get(SystemClients, { strict: false });
  return {
    app,
    clients,
    subscriptions: app.get(Subscriptions),
    log: app.get(DeliveryLog),
    registerClient: () => clients.register({ registeredAs: 'WEBHOOK', by: CLI }),
    publish: async (...changes) => {
      const publisher = app.get(Publisher);
      const published = await database.transaction((transaction) => publisher.publish(transaction, changes));
      if (published !== undefined) publisher.announce(published);
    },
    close: async (graceMs = 2_000) => {
      await app.get(Deliveries).stop(graceMs);
      await app.get(ChangeFeed).stop();
      await app.close();
    },
  };
}
