import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import { eventually } from '../../support/eventually.js';
import type { ScriptedSubscriber } from '../../support/scripted-subscriber.js';
import { answers, hangs, startScriptedSubscriber } from '../../support/scripted-subscriber.js';
import { ask } from '../requests.js';
import type { Scenario } from '../scenario.js';
import type { ServiceProcess } from '../service-process.js';
import type { World } from '../world.js';

const KILLS = 3;
/** How long the next process may take to post what a dead one held: far less than the lease. */
const AGAIN_MS = 20_000;

/**
 * The process is killed during the confirmation of a registration, three times over. A registration that is confirmed
 * is published: if it were confirmed twice, or never, its subscriber would be notified as often.
 */
export const CONFIRMATION_SCENARIOS: readonly Scenario[] = [
  {
    fault: 'kill -9 while the country configuration works on an action, three times on the same one',
    dispatch: ['in process'],
    act: (world) => confirmed(world, killedDuring),
  },
  {
    fault: 'kill -9 between the answer of the country configuration and our note of it, three times on the same one',
    dispatch: ['in process'],
    act: (world) => confirmed(world, killedAfter),
  },
];

type Act = (world: World, service: ServiceProcess, country: ScriptedSubscriber) => Promise<void>;

async function confirmed(world: World, act: Act): Promise<void> {
  const country = await startScriptedSubscriber({ tls: false });
  try {
    const service = await world.startService({
      COUNTRY_CONFIG_URL: `http://127.0.0.1:${country.port}`,
      CONFIRMATION_WAIT_SECONDS: '0',
      // What a dead process held is to be free when its lock falls: whoever waited for its lease would wait in vain.
      CONFIRMATION_TIMEOUT_SECONDS: '300',
    });
    const eventId = await declared(world, service);
    country.forget();
    await act(world, service, country);
    await settled(world, eventId);
    world.ledger.take(eventId);
    world.seen = `posted ${country.notifications.length} times, accepted once`;
  } finally {
    await country.close();
  }
}

/** The subscriber works on it, and answers only once the process that asked is dead. */
async function killedDuring(world: World, service: ServiceProcess, country: ScriptedSubscriber): Promise<void> {
  country.behave(hangs);
  await register(world, service);
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await eventually('it is posted', () => country.notifications.length >= kill, AGAIN_MS);
    await service.kill();
    if (kill === KILLS) country.behave(answers(200));
    await service.start();
  }
}

/** The event is locked before the answer comes: the process has the answer, and dies while it tries to write it. */
async function killedAfter(world: World, service: ServiceProcess, country: ScriptedSubscriber): Promise<void> {
  const arrived: ServerResponse[] = [];
  country.behave((_, answer) => arrived.push(answer));
  await register(world, service);
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await eventually('it is posted', () => arrived.length >= kill, AGAIN_MS);
    await world.connected(async (client) => {
      await client.query('begin');
      await client.query('select from event for update');
      arrived[kill - 1]?.writeHead(200).end();
      await world.query(UNTIL_WRITING_IS_TRIED);
      await service.kill();
      await client.query('rollback');
    });
    if (kill === KILLS) country.behave(answers(200));
    await service.start();
  }
}

interface Event {
  readonly id: string;
}

/** A birth whose declaration is confirmed. */
async function declared(world: World, service: ServiceProcess): Promise<string> {
  const { id } = await post(world, service, '', { type: 'birth' });
  await post(world, service, `/${id}/actions/declare`, { declaration: { 'child.name': { firstname: 'Ana' } } });
  await eventually('the declaration is confirmed', async () => (await statuses(world)).every(isAccepted), AGAIN_MS);
  return id;
}

/** Requests the registration of the only event. */
async function register(world: World, service: ServiceProcess): Promise<void> {
  const [event] = await world.query<Event>('select id from event');
  await post(world, service, `/${event?.id ?? ''}/actions/assign`, {});
  await post(world, service, `/${event?.id ?? ''}/actions/register`, {});
}

async function post(world: World, { urls }: ServiceProcess, path: string, body: object): Promise<Event> {
  const token = await world.userToken(['create', 'read', 'declare', 'register'].map((one) => `record.${one}`));
  return ask<Event>(200, `${urls?.publicUrl ?? ''}/events${path}`, token, { ...body, transactionId: randomUUID() });
}

/** The registration is accepted, once. */
async function settled(world: World, eventId: string): Promise<void> {
  await eventually('everything is confirmed', async () => (await statuses(world)).every(isAccepted), AGAIN_MS);
  const [row] = await world.query<{ readonly accepted: number }>(`
    select count(*)::int as accepted from event_history join event on seq = event_seq,
           json_array_elements(actions::json) as action
     where event.id = '${eventId}' and action ->> 'type' = 'REGISTER' and action ->> 'status' = 'Accepted'`);
  if (row?.accepted !== 1) throw new Error(`a registration was accepted ${row?.accepted ?? 0} times`);
}

const statuses = (world: World): Promise<{ readonly status: string }[]> =>
  world.query('select status from confirmation');

const isAccepted = ({ status }: { readonly status: string }): boolean => status === 'accepted';

/** An attempt takes some milliseconds, each 50 ms: looked for on the server. */
const UNTIL_WRITING_IS_TRIED = `do $$ begin
  for look in 1..10000 loop
    perform pg_stat_clear_snapshot();
    if exists (select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like '%from event where%skip locked%')
    then return; end if;
    perform pg_sleep(0.002);
  end loop;
  raise 'the answer was not tried to be written';
end $$`;
