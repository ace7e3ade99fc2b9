import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';

import { Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import Bull from 'bull';
import type { Redis } from 'ioredis';

import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { eventually } from '../../../test/support/eventually.js';
import { Secret } from '../../platform/config/secret.js';
import { BullConnections } from './bull-connections.js';
import { BullDispatcher, LANES_QUEUE } from './bull-dispatcher.js';
import type { DeliveryRunner } from './delivery-runner.js';
import type { Lease } from './lanes/lanes.js';
import { redisOptions } from './redis-options.js';

const RUNNER: Pick<DeliveryRunner, 'begin'> = { begin: () => Promise.resolve() };
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Takes connections, answers to what ioredis says of itself first, and to nothing else. */
let server: Server;
const sockets = new Set<Socket>();
let url: string;
beforeAll(async () => {
  Logger.overrideLogger(false);
  server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.on('data', (bytes) => socket.write('+OK\r\n'.repeat(bytes.toString().match(/setinfo/gi)?.length ?? 0)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

/** As Bull has it: a connection is ready once it stands. */
const optionsOf = (to = url) => ({ ...redisOptions(new Secret(to)), enableReadyCheck: false });
const ended = async (connections: BullConnections, client: Redis): Promise<void> => {
  const end = once(client, 'end');
  connections.end();
  await end;
  // What nobody catches would fail the test.
  await immediate();
};

describe('BullDispatcher', () => {
  let connections: BullConnections;
  let queue: Queue<Lease>;
  let dispatcher: BullDispatcher;
  const begin = (to: string): void => {
    connections = new BullConnections();
    queue = new Bull<Lease>(LANES_QUEUE, { redis: optionsOf(to), createClient: connections.create });
    dispatcher = new BullDispatcher(queue, RUNNER as DeliveryRunner, connections);
    dispatcher.onApplicationBootstrap();
  };

  it.each([
    ['hangs', () => url],
    ['hangs in the midst of its TLS handshake', () => url.replace('redis:', 'rediss:')],
  ])('closes while Redis %s', async (_, to) => {
    begin(to());
    await sleep(50);
    await expect(dispatcher.close()).resolves.toBeUndefined();
    await eventually('its connections are closed', () => [...sockets].every(({ destroyed }) => destroyed));
  });

  it('asks a Redis that hangs once whether it is back, since each command is kept until its answer comes', async () => {
    begin(url);
    jest.spyOn(queue.client, 'ping').mockResolvedValue('PONG');
    await eventually('it takes leases from Redis', () => dispatcher.state === 'up');
    let answer: () => void = () => undefined;
    const answered = new Promise<never>((resolve) => {
      answer = resolve as () => void;
    });
    jest.spyOn(queue, 'isPaused').mockResolvedValue(false);
    const add = jest.spyOn(queue, 'add').mockReturnValue(answered);
    await dispatcher.dispatch({ subscriptionId: aUuid(1), token: aUuid(2), pace: 'unknown' });
    expect(dispatcher.state).toBe('degraded');
    await sleep(3_500);
    expect(add.mock.calls.map(([lease]) => lease)).toEqual([
      { subscriptionId: aUuid(1), token: aUuid(2), pace: 'unknown' },
      { subscriptionId: NOBODY, token: NOBODY, pace: 'unknown' },
    ]);
    answer();
    await eventually('it notices that Redis is back', () => dispatcher.state === 'up');
    await dispatcher.close();
  });

  it('closes though a connection fails just when it is ended', async () => {
    begin(url);
    const { client } = queue;
    await once(client, 'ready');
    const disconnect = client.disconnect.bind(client);
    jest.spyOn(client, 'disconnect').mockImplementation((...how) => {
      client.emit('error', new Error('write ECONNRESET'));
      disconnect(...how);
    });
    await expect(dispatcher.close()).resolves.toBeUndefined();
    // `@nestjs/bull` closes it once more.
    await expect(queue.close()).resolves.toBeUndefined();
  });
});

describe('BullConnections', () => {
  it('end while commands are under way of which nobody hears', async () => {
    const connections = new BullConnections();
    const client = connections.create('subscriber', optionsOf());
    await once(client, 'ready');
    void client.subscribe('channel');
    // Bull goes on from it, and drops the promise of what follows.
    void (client.client('SETNAME', 'name') as Promise<unknown>).then(() => undefined);
    await ended(connections, client);
    expect(client.status).toBe('end');
  });

  it('tell whoever asks that a command has failed', async () => {
    const connections = new BullConnections();
    const client = connections.create('client', optionsOf());
    await once(client, 'ready');
    const asked = client.ping();
    await ended(connections, client);
    await expect(asked).rejects.toThrow('Connection is closed.');
  });
});
