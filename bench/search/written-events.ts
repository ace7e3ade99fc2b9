import { randomUUID } from 'node:crypto';

import type { Service } from '../service/service.js';
import type { Draws } from './query-kinds.js';

/** An event document, as a trigger tells of it. */
export interface EventWritten {
  readonly id: string;
  readonly type: string;
  readonly trackingId: string;
  readonly actions: readonly object[];
}

/** Tells the service of the event whose latest action of the type was accepted; yields the milliseconds it took. */
export async function tellOf(service: Service, action: string, event: EventWritten): Promise<number> {
  const { status, body, ms } = await service.trigger(event.type, action, event);
  if (status !== 200) throw new Error(`the trigger answered ${status}: ${body}`);
  return ms;
}

/** A birth like one of the nation's, under keys of its own. */
export function drawEvent(draws: Draws): EventWritten {
  const record = draws.record(({ type, status }) => type === 'birth' && status === 'REGISTERED');
  const { DECLARED } = record.legalStatuses;
  const key = randomUUID();
  const by = { createdBy: record.createdBy, createdByUserType: 'user', createdByRole: DECLARED?.createdByRole };
  const action = (type: string, more: object = {}): object =>
    actionOf(type, { ...by, ...more }, record.createdAtLocation);
  return {
    id: key,
    type: record.type,
    trackingId: key,
    actions: [
      action('CREATE'),
      action('DECLARE', { declaration: record.declaration }),
      action('REGISTER', { registrationNumber: key }),
    ],
  };
}

/** The same event with a certificate printed. */
export const certified = (event: EventWritten): EventWritten => ({
  ...event,
  actions: [...event.actions, actionOf('PRINT_CERTIFICATE', { createdBy: 'printer', createdByUserType: 'user' })],
});

const actionOf = (type: string, more: object, createdAtLocation?: string | null): object => ({
  id: randomUUID(),
  transactionId: randomUUID(),
  type,
  status: 'Accepted',
  createdAt: new Date().toISOString(),
  createdAtLocation: createdAtLocation ?? null,
  declaration: {},
  ...more,
});
