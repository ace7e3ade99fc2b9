import { sql } from '../../src/sql/sql.js';
import type { DeliveryService } from './delivery-service.js';
import { startDeliveryService } from './delivery-service.js';
import type { TestDatabase } from './postgres.js';
import type { ScriptedSubscriber } from './scripted-subscriber.js';
import { startScriptedSubscriber } from './scripted-subscriber.js';

/** Where nothing listens. */
export const FAR_AWAY = { url: (): string => 'https://127.0.0.1:1/' };

/** The database of a test, and what closes what the test opened. */
interface Here {
  readonly test: TestDatabase;
  readonly opened: (() => Promise<void>)[];
}

/** Opens services and subscribers for a test, and tells what was tried. */
export function lanesOf(here: () => Here) {
  async function aService(more: Readonly<Record<string, string>> = {}): Promise<DeliveryService> {
    const service = await startDeliveryService(here().test, more);
    here().opened.push(() => service.close());
    return service;
  }

  async function aSubscriber(): Promise<ScriptedSubscriber> {
    const subscriber = await startScriptedSubscriber();
    here().opened.push(() => subscriber.close());
    return subscriber;
  }

  const attempts = (): Promise<{ readonly status: string; readonly errors: readonly string[] }[]> =>
    here().test.database.query(sql`
      select d.status, array_agg(a.error order by a.at) as errors
        from webhook_delivery d left join webhook_attempt a on a.delivery_id = d.id group by d.id, d.status`);

  return { aService, aSubscriber, attempts };
}
