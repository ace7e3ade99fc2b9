import { randomUUID } from 'node:crypto';

import type { Spread } from '../measure/spread.js';
import { spreadOf } from '../measure/spread.js';
import type { Service } from '../service/service.js';
import type { Draws } from './query-kinds.js';

export interface WritesFound {
  readonly callers: number;
  /** What is written: an event that is new, or a further action of one that is there. */
  readonly what: 'registration' | 'certificate';
  readonly perSecond: number;
  readonly ms: Spread;
}

const CALLERS = [1, 4];

/**
 * How many registrations, and certificates printed of them, the service takes in a second through the trigger feed, one
 * event and one transaction a request. What it writes stays in the database.
 */
export async function writes(service: Service, draws: Draws, seconds: number): Promise<WritesFound[]> {
  const found: WritesFound[] = [];
  for (const callers of CALLERS) {
    const registered: EventWritten[] = [];
    found.push({
      callers,
      what: 'registration',
      ...(await repeated(callers, seconds, async () => {
        const event = drawEvent(draws);
        const ms = await tellOf(service, 'REGISTER', event);
        registered.push(event);
        return ms;
      })),
    });
    found.push({
      callers,
      what: 'certificate',
      ...(await repeated(callers, seconds, async () => {
        const event = registered.pop();
        return event === undefined ? undefined : tellOf(service, 'PRINT_CERTIFICATE', certified(event));
      })),
    });
  }
  return found;
}

interface EventWritten {
  readonly id: string;
  readonly type: string;
  readonly trackingId: string;
  readonly actions: readonly object[];
}

async function tellOf(service: Service, action: string, event: EventWritten): Promise<number> {
  const { status, body, ms } = await service.trigger(event.type, action, event);
  if (status !== 200) throw new Error(`the trigger answered ${status}: ${body}`);
  return ms;
}

/** Repeats it until the time is over or it yields no more. */
async function repeated(
  callers: number,
  seconds: number,
  write: () => Promise<number | undefined>,
): Promise<Pick<WritesFound, 'perSecond' | 'ms'>> {
  const times: number[] = [];
  const began = performance.now();
  const elapsed = (): number => (performance.now() - began) / 1_000;
  const call = async (): Promise<void> => {
    while (elapsed() < seconds) {
      const ms = await write();
      if (ms === undefined) return;
      times.push(ms);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return { perSecond: times.length / elapsed(), ms: spreadOf(times) };
}

/** A birth like one of the nation's, under keys of its own. */
function drawEvent(draws: Draws): EventWritten {
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

const certified = (event: EventWritten): EventWritten => ({
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
