import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { SystemClients } from '../../src/auth/clients/system-clients.js';
import { createServices } from '../../src/cli/service-context.js';
import { readConfig } from '../../src/platform/config/read-config.js';
import type { Declaration } from '../../src/kernel/domain/event-record.js';
import { Publisher } from '../../src/webhooks/delivery/publisher.js';
import { RecordFilter } from '../../src/webhooks/subscriptions/record-filter.js';
import { Subscriptions } from '../../src/webhooks/subscriptions/subscriptions.js';
import { aPublishedChange } from '../support/builders/a-published-change.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { removeWebhooks } from '../support/remove-webhooks.js';
import { SECURED_FORMS } from '../support/secured-forms.js';
import { turnsDuring } from '../support/turns-during.js';

const DECLARATION = { 'child.name': { firstname: 'Asha', surname: 'Banda' }, 'child.nid': '1234567890' };

/** The declaration, and how often it was gone through. */
function aCountedDeclaration(): { readonly declaration: Declaration; readonly readings: () => number } {
  let readings = 0;
  const declaration = new Proxy<Declaration>(DECLARATION, {
    ownKeys: (target) => {
      readings += 1;
      return Reflect.ownKeys(target);
    },
  });
  return { declaration, readings: () => readings };
}

describe('a record with secured fields, of which many clients are told', () => {
  const directory = mkdtempSync(join(tmpdir(), 'secured-'));
  let test: TestDatabase;
  let services: INestApplicationContext;
  beforeAll(async () => {
    const file = join(directory, 'events.json');
    writeFileSync(file, JSON.stringify(SECURED_FORMS));
    test = await createTestDatabase();
    const environment = { SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'), EVENT_CONFIG_FILE: file };
    services = await createServices(readConfig(environment), test.url);
  });
  afterAll(async () => {
    await services.close();
    await test.drop();
    rmSync(directory, { recursive: true });
  });
  beforeEach(() => removeWebhooks(test));

  async function subscribers(count: number): Promise<void> {
    const scopes = ['webhook', 'type=record.search'];
    for (let at = 0; at < count; at += 1) {
      const { clientId } = await services.get(SystemClients).register({ scopes, by: CLI });
      const order = {
        clientId,
        topic: 'BIRTH_REGISTERED',
        callback: 'https://a.example/',
        format: 'standard',
      } as const;
      await services.get(Subscriptions).subscribe({ ...order, query: null });
    }
  }

  const publish = (declaration: Declaration): Promise<unknown> => {
    const change = aPublishedChange();
    const changes = [{ ...change, record: { ...change.record, type: 'birth', declaration } }];
    return test.database.transaction((transaction) => services.get(Publisher).publish(transaction, changes));
  };

  it('is gone through as often as for one client', async () => {
    await subscribers(1);
    const forOne = aCountedDeclaration();
    await publish(forOne.declaration);
    await subscribers(4);
    const forFive = aCountedDeclaration();
    await publish(forFive.declaration);
    expect(forFive.readings()).toBe(forOne.readings());
  });

  it('is looked at for each client in a turn of its own', async () => {
    await subscribers(20);
    const filter = services.get(RecordFilter);
    const shown = filter.shown.bind(filter);
    let turn = 0;
    const turns: number[] = [];
    const watched = jest.spyOn(filter, 'shown').mockImplementation((...asked) => {
      turns.push(turn);
      return shown(...asked);
    });
    let next = setImmediate(function count() {
      turn += 1;
      next = setImmediate(count);
    });
    await turnsDuring(() => publish(DECLARATION));
    clearImmediate(next);
    watched.mockRestore();
    expect(turns.length).toBe(20);
    expect(new Set(turns).size).toBe(20);
  });
});
