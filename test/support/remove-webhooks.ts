import { retryingDeadlocks } from '../../src/platform/database/connection/queryable.js';
import { sql } from '../../src/kernel/sql/sql.js';
import type { TestDatabase } from './postgres.js';

/** Removes every delivery, though a service may be at work on some: it locks their tables in another order. */
export const removeDeliveries = ({ database }: TestDatabase): Promise<unknown> =>
  retryingDeadlocks(() => database.query(sql`truncate webhook_context, webhook_delivery, webhook_attempt`));

/** The same, and every subscription. */
export const removeWebhooks = ({ database }: TestDatabase): Promise<unknown> =>
  retryingDeadlocks(() =>
    database.query(sql`truncate webhook_subscription, webhook_context, webhook_delivery, webhook_attempt`),
  );
