import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import { answers, hangs } from '../../support/scripted-subscriber.js';
import { eventually } from '../../support/eventually.js';
import { notificationOf } from '../receiver.js';
import type { Scenario } from '../scenario.js';
import type { World } from '../world.js';

const KILLS = 3;
const OTHERS = 20;
/** How long the next process may take to deliver what a dead one held: far less than the lease. */
const AGAIN_MS = 20_000;
/**
 * What a dead process held is to be free when its lock falls (W-16): whoever waited for its lease would wait in vain.
 */
const LONG_LEASE = { WEBHOOK_LEASE_SECONDS: '600' };

/** The process is killed at one moment of one delivery, three times over. */
export const KILL_SCENARIOS: readonly Scenario[] = [
  {
    fault: 'kill -9 before a notification is sent, three times on the same one',
    environment: LONG_LEASE,
    act: killedBefore,
  },
  {
    fault: 'kill -9 while its subscriber works on it, three times on the same one',
    environment: LONG_LEASE,
    act: killedDuring,
  },
  {
    fault: 'kill -9 between its acknowledgement and our note of it, three times on the same one',
    mayRepeat: KILLS,
    // Time for a slow machine to lock the row before the service gives the exchange up.
    environment: { ...LONG_LEASE, WEBHOOK_TIMEOUT_SECONDS: '15' },
    act: killedAfter,
  },
];

/**
 * The subscriber's address takes connections, and nothing comes of them: nothing has been sent when the process dies.
 */
async function killedBefore(world: World): Promise<void> {
  const { service, subscriber } = world;
  await subscriber.down();
  const stalled = await stalledServer(subscriber.port);
  await world.send(1);
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await eventually('a connection is made', () => stalled.connections >= kill, AGAIN_MS);
    await service.kill();
    await stalled.dropConnections();
    await service.start();
  }
  await world.send(OTHERS);
  await stalled.close();
  await subscriber.up();
}

/** The subscriber has it, and answers only once the process that sent it is dead. */
async function killedDuring(world: World): Promise<void> {
  const { service, subscriber } = world;
  subscriber.behave(hangs);
  await world.send(1);
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await eventually('it has arrived', () => subscriber.notifications.length >= kill, AGAIN_MS);
    await service.kill();
    await service.start();
  }
  subscriber.behave(answers(200));
  await world.send(OTHERS);
}

/** Its row is locked before the subscriber acknowledges it: the process has the answer, and dies waiting to note it. */
async function killedAfter(world: World): Promise<void> {
  const { service, subscriber } = world;
  const arrived: { readonly deliveryId: string; readonly answer: ServerResponse }[] = [];
  subscriber.behave(({ body }, answer) => {
    arrived.push({ deliveryId: notificationOf(body).deliveryId, answer });
  });
  await world.send(1);
  for (let kill = 1; kill <= KILLS; kill += 1) {
    // One that has waited for the start of a process may have been given up.
    const standing = (): (typeof arrived)[number] | undefined => arrived.find(({ answer }) => !answer.destroyed);
    await eventually('it has arrived', () => standing() !== undefined, AGAIN_MS);
    await world.connected(async (client) => {
      await client.query('begin');
      await client.query('select from webhook_delivery where id = $1 for update', [standing()?.deliveryId]);
      standing()?.answer.writeHead(200).end();
      await eventually('the note waits', async () => (await waiting(world)).length > 0, AGAIN_MS);
      await service.kill();
      // What a dead process has asked for would still be done once the row is free.
      for (const { pid } of await waiting(world)) await client.query('select pg_terminate_backend($1)', [pid]);
      await eventually('nothing waits', async () => (await waiting(world)).length === 0);
      await client.query('rollback');
    });
    await service.start();
  }
  subscriber.behave(answers(200));
  for (const { answer } of arrived) answer.destroy();
  await world.send(OTHERS);
}

const waiting = (world: World): Promise<{ readonly pid: number }[]> =>
  world.query(`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);

interface StalledServer {
  readonly connections: number;
  dropConnections(): Promise<void>;
  close(): Promise<void>;
}

/** Takes connections and leaves them standing. */
async function stalledServer(port: number): Promise<StalledServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  if ((server.address() as AddressInfo).port !== port) throw new Error('another port was bound');
  const dropConnections = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await eventually('no connection is left', () => sockets.size === 0);
  };
  return {
    get connections() {
      return connections;
    },
    dropConnections,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      await dropConnections();
      await closed;
    },
  };
}
