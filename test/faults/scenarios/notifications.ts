import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { request } from 'undici';

import type { Client } from '../requests.js';
import { ask } from '../requests.js';
import type { Scenario } from '../scenario.js';
import type { ServiceProcess } from '../service-process.js';
import type { World } from '../world.js';

const KILLS = 3;
const CALLERS = 50;
const TRANSACTIONS = 400;
/** How often each is sent, one caller knowing nothing of the others. */
const TIMES = 3;
const PAUSE_MS = 100;

/** Events are created and notified, and those who ask do not learn what became of it. */
export const NOTIFICATION_SCENARIOS: readonly Scenario[] = [
  {
    fault: 'kill -9 during create-and-notify, three times, with repeated transactionIds over two processes',
    dispatch: ['in process'],
    act: killedWhileNotifying,
  },
];

/** What is answered: the event, without what changes of it. */
interface Answered {
  readonly id: string;
  readonly trackingId: string;
  readonly actions: readonly { readonly id: string }[];
}

async function killedWhileNotifying(world: World): Promise<void> {
  const { service } = world;
  const other = await world.startService();
  const notify = await notifier(world);
  const transactions = Array.from({ length: TRANSACTIONS }, () => randomUUID());
  const queue = Array.from({ length: TIMES }, () => transactions).flat();
  const answers = new Map<string, Set<string>>();
  let done = 0;
  const caller = async (): Promise<void> => {
    for (let transaction = queue.shift(); transaction !== undefined; transaction = queue.shift()) {
      const answered = await untilAnswered(notify, transaction, [service, other]);
      const { id, trackingId, actions } = answered;
      const known = answers.get(transaction) ?? new Set();
      answers.set(transaction, known.add([id, trackingId, ...actions.map((action) => action.id)].join()));
      done += 1;
    }
  };
  const kills = async (): Promise<void> => {
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const from = (kill * TRANSACTIONS * TIMES) / (KILLS + 2);
      while (done < from) await sleep(10);
      await service.kill();
      await service.start();
    }
  };
  await Promise.all([kills(), ...Array.from({ length: CALLERS }, caller)]);
  const differing = [...answers.values()].filter(({ size }) => size !== 1);
  const [stored] = await world.query<{ events: number; keys: number; rows: number }>(`
    select (select count(*)::int from event) as events, (select count(*)::int from performed_operation) as keys,
           (select count(*)::int from audit_log where operation = 'event.actions.notify.request') as rows`);
  const { events = 0, keys = 0, rows = 0 } = stored ?? {};
  if (differing.length > 0 || events !== TRANSACTIONS || keys !== TRANSACTIONS || rows !== TRANSACTIONS) {
    throw new Error(
      `${TRANSACTIONS} transactionIds: ${events} events, ${keys} keys, ${rows} audit rows, ${differing.length} with differing answers`,
    );
  }
}

/** Sends it until there is an answer, to one process after the other. */
async function untilAnswered(
  notify: (service: ServiceProcess, transactionId: string) => Promise<Answered | undefined>,
  transactionId: string,
  services: readonly ServiceProcess[],
): Promise<Answered> {
  for (let at = Math.floor(Math.random() * services.length); ; at += 1) {
    const service = services[at % services.length];
    const answered = service && (await notify(service, transactionId));
    if (answered !== undefined) return answered;
    await sleep(PAUSE_MS);
  }
}

/** Notifies births of a hospital; undefined where nothing, or a 503, was answered. */
async function notifier(
  world: World,
): Promise<(service: ServiceProcess, transactionId: string) => Promise<Answered | undefined>> {
  const { internalUrl = '' } = world.service.urls ?? {};
  const registered = await ask<Client>(201, `${internalUrl}/registerSystemClient`, await world.token, {
    scope: 'HEALTH',
  });
  const hospital = { name: 'Hospital', administrativeAreaId: null, locationType: 'HEALTH_FACILITY' };
  const { id } = await ask<{ id: string }>(200, `${internalUrl}/locations`, await world.token, hospital);
  const token = await world.clientToken(registered.client_id, ['health']);
  return async (service, transactionId) => {
    const base = service.urls?.publicUrl;
    if (base === undefined) return undefined;
    const declaration = { 'child.name': { firstname: 'Ana', surname: transactionId.slice(0, 8) } };
    try {
      const { statusCode, body } = await request(`${base}/events/notify`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ transactionId, eventType: 'birth', createdAtLocation: id, declaration }),
      });
      const text = await body.text();
      if (statusCode === 200) return JSON.parse(text) as Answered;
      if (statusCode === 503) return undefined;
      throw new Refused(`a notification was answered with ${statusCode}: ${text}`);
    } catch (error) {
      if (error instanceof Refused) throw error;
      return undefined;
    }
  };
}

class Refused extends Error {}
