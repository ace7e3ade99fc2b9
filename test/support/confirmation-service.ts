import type { INestApplicationContext } from '@nestjs/common';

import { readConfig } from '../../src/platform/config/read-config.js';
import { ChangeFeed } from '../../src/platform/database/connection/change-feed.js';
import type { EventAction, EventDocument } from '../../src/kernel/domain/event-action.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { AuthModule } from '../../src/auth/auth.module.js';
import { CONFIRMATIONS, EventsModule } from '../../src/events/events.module.js';
import { ConfirmationWaits } from '../../src/events/confirmation/confirmation-waits.js';
import { Confirmations } from '../../src/events/confirmation/confirmations.js';
import { EventWriter } from '../../src/events/write/event-writer.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { anAction } from './builders/an-action.js';
import { anEventDocument } from './builders/an-event-document.js';
import type { TestDatabase } from './postgres.js';
import { startModules } from './start-modules.js';

/** What writes events and has them confirmed, as one process of several may. */
export interface ConfirmationService {
  readonly app: INestApplicationContext;
  readonly writer: EventWriter;
  readonly waits: ConfirmationWaits;
  /** Creates an event on which an action is requested, a REGISTER after a declaration; resolves after the commit. */
  readonly request: (action?: Partial<EventAction>, event?: Partial<EventDocument>) => Promise<RequestedEvent>;
  /** The same on an event that is there. */
  readonly requestOn: (eventId: Uuid, action?: Partial<EventAction>) => Promise<RequestedEvent>;
  readonly close: (graceMs?: number) => Promise<void>;
}

export interface RequestedEvent {
  readonly eventId: Uuid;
  readonly actionId: Uuid;
}

/** `url`: of the country configuration; a schedule of a tenth of a second unless `environment` says otherwise. */
export async function startConfirmationService(
  { url }: TestDatabase,
  environment: Readonly<Record<string, string>>,
): Promise<ConfirmationService> {
  const config = readConfig({
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    CONFIRMATION_TIMEOUT_SECONDS: '60',
    CONFIRMATION_WAIT_SECONDS: '60',
    WEBHOOK_RETRY_SECONDS: '0.1,0.1,0.1',
    ...environment,
  });
  const app = await startModules(url, config, {
    imports: [AuthModule, { module: EventsModule, providers: CONFIRMATIONS, exports: CONFIRMATIONS }],
  });
  await app.get(ChangeFeed).start();
  const writer = app.get(EventWriter, { strict: false });
  return {
    app,
    writer,
    waits: app.get(ConfirmationWaits, { strict: false }),
    request: async (action = {}, event = {}) => {
      const requested = anAction({ type: 'DECLARE', status: 'Requested', ...action });
      const before = requested.type === 'REGISTER' ? [anAction(), anAction({ type: 'DECLARE' })] : [anAction()];
      const document = anEventDocument({ actions: [...before, requested], ...event });
      await writer.submit({
        client: 'registrar',
        eventId: document.id,
        size: 1_000,
        decide: () => ({ answer: undefined, change: { kind: 'create', document }, outgoing: [requested] }),
      });
      return { eventId: document.id, actionId: requested.id };
    },
    requestOn: async (eventId, action = {}) => {
      const requested = anAction({ type: 'DECLARE', status: 'Requested', ...action });
      await writer.submit({
        client: 'registrar',
        eventId,
        size: 1_000,
        decide: () => ({
          answer: undefined,
          change: { kind: 'append', actions: [requested] },
          outgoing: [requested],
        }),
      });
      return { eventId, actionId: requested.id };
    },
    close: async (graceMs = 2_000) => {
      await app.get(Confirmations).stop(graceMs);
      await app.get(ChangeFeed).stop();
      await app.close();
    },
  };
}

/** Of a confirmation, what the outbox holds. */
export interface KeptConfirmation {
  readonly status: string;
  readonly failures: number;
  readonly attempts: readonly (string | number)[];
}

export async function confirmationOf({ database }: TestDatabase, actionId: Uuid): Promise<KeptConfirmation> {
  const [row] = await database.query<KeptConfirmation>(sql`
    select status, failures, array(
      select coalesce(a.error, a.status::text) from confirmation_attempt a where a.action_id = c.action_id order by at)
        as attempts
      from confirmation c where action_id = ${actionId}`);
  if (row === undefined) throw new Error(`there is no confirmation of ${actionId}`);
  return row;
}

/** The actions of an event after its CREATE, as `TYPE Status`, in their order. */
export async function actionsOf({ database }: TestDatabase, eventId: Uuid): Promise<readonly EventAction[]> {
  const rows = await database.query<{ readonly action: EventAction }>(sql`
    select json_array_elements(actions::json) as action
      from event_history join event on seq = event_seq where event.id = ${eventId} order by position`);
  return rows.map(({ action }) => action).slice(1);
}

export const outline = (actions: readonly EventAction[]): readonly string[] =>
  actions.map(({ type, status }) => `${type} ${status}`);
