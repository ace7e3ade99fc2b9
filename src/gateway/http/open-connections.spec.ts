import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '../../../test/support/eventually.js';
import { RawConnection } from '../../../test/support/raw-connection.js';
import { OpenConnections } from './open-connections.js';

const MOST = 3;

let server: Server;
let address: string;
let clients: RawConnection[];
/** How many requests are with their route, which answers those for `/long` alone. */
let taken: number;
/** The ports of clients whose connections have been ended here. */
let ended: Set<number | undefined>;
/** More than the buffers of a connection hold. */
const LONG = Buffer.alloc(32 * 1_024 * 1_024);
beforeEach(async () => {
  [clients, taken, ended] = [[], 0, new Set()];
  const open = new OpenConnections(MOST);
  server = createServer((request, response) => {
    open.of(request.socket)?.begin(request, response);
    taken += 1;
    request.resume();
    if (request.url === '/long') response.end(LONG);
  });
  server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    socket.once('close', () => ended.add(remotePort));
    if (!open.admit(socket)) socket.destroy();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  jest.restoreAllMocks();
  for (const { socket } of clients) socket.destroy();
  await new Promise((closed) => server.close(closed));
});

async function connected(...sent: string[]): Promise<RawConnection> {
  const client = await RawConnection.to(address);
  clients.push(client);
  for (const part of sent) client.socket.write(part);
  return client;
}

/** A request that is with its route, and of whose body this much has come. */
async function within(body: string): Promise<RawConnection> {
  const before = taken;
  const client = await connected(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n${body}`);
  await eventually('it is with its route', () => taken === before + 1);
  return client;
}

async function whole(): Promise<RawConnection> {
  const before = taken;
  const client = await connected('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await eventually('it is with its route', () => taken === before + 1);
  return client;
}

const isEnded = ({ socket }: RawConnection) => socket.closed;
const later = (ms: number): void => {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);
};

describe('a connection for which there is no room', () => {
  it('takes the place of one that is idle', async () => {
    const [slow, idle, busy] = [await within('a'), await connected(), await whole()];
    later(60_000);
    await connected();
    await eventually('the idle one is ended', () => isEnded(idle));
    expect([slow, busy].map(isEnded)).toEqual([false, false]);
  });

  it('takes the place of the one whose body comes slowest, if all have a request', async () => {
    const [faster, slower, busy] = [await within('a'.repeat(900)), await within('a'), await whole()];
    later(60_000);
    await connected();
    await eventually('the slowest is ended', () => isEnded(slower));
    expect([faster, busy].map(isEnded)).toEqual([false, false]);
  });

  it('takes the place of the one that takes nothing of its answer, if all have a request', async () => {
    const unread = await connected();
    unread.socket.pause();
    unread.socket.write('GET /long HTTP/1.1\r\nHost: a\r\n\r\n');
    await eventually('it is with its route', () => taken === 1);
    const [faster, busy] = [await within('a'.repeat(900)), await whole()];
    later(60_000);
    await connected();
    await eventually('the one that reads nothing is ended', () => ended.has(unread.socket.localPort));
    expect([faster, busy].map(isEnded)).toEqual([false, false]);
  });

  it('takes the place of a slow one rather than of one that was used a moment ago', async () => {
    const slow = await within('a');
    later(60_000);
    const [used, busy] = [await connected(), await whole()];
    await connected();
    await eventually('the slow one is ended', () => isEnded(slow));
    expect([used, busy].map(isEnded)).toEqual([false, false]);
  });

  it('takes the place of one that was used a moment ago, if the others are busy', async () => {
    const [used, ...busy] = [await connected(), await whole(), await whole()];
    await connected();
    await eventually('it is ended', () => isEnded(used));
    expect(busy.map(isEnded)).toEqual([false, false]);
  });

  it('is turned away if the others wait for their answers, or have just begun', async () => {
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const others = [await within('a'), await whole(), await whole()];
    const late = await connected();
    await eventually('it is ended', () => isEnded(late));
    expect(others.map(isEnded)).toEqual([false, false, false]);
  });
});

/** A server whose connections are parsed in pieces, and client connections to it. */
async function serving(
  count: number,
  handler: RequestListener,
  use: (clients: readonly RawConnection[]) => Promise<void>,
): Promise<void> {
  const open = new OpenConnections(count);
  const server = createServer(handler);
  server.on('connection', (socket: Socket) => open.admit(socket));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clients = await Promise.all(Array.from({ length: count }, () => RawConnection.to(url)));
  try {
    await use(clients);
  } finally {
    for (const { socket } of clients) socket.destroy();
    server.close();
  }
}

const CHUNKED = ['POST / HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked', '', ''];

describe('a connection that is parsed in pieces', () => {
  it('has its requests read whole, however they are cut', async () => {
    await serving(
      1,
      (request, response) => {
        void text(request).then((body) => response.end(`<${request.url ?? ''} ${body}>`));
      },
      async ([client]) => {
        for (let size = 1; size <= 40; size += 3) {
          const wire = `POST /${size} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nab\r\n\r\n0\r\n\r\n`;
          for (let at = 0; at < wire.length; at += size) {
            client?.socket.write(wire.slice(at, at + size));
            await new Promise(setImmediate);
          }
          await client?.receives(new RegExp(`</${size} ab\r\n>`));
        }
      },
    );
  });

  it('lets everything else happen after each piece, however many connections send a byte in a chunk', async () => {
    const [chunks, connections] = [20_000, 10];
    const pieces: number[] = [];
    let isDone = false;
    const round = (): void => {
      pieces.push(0);
      if (!isDone) setImmediate(round);
    };
    await serving(
      connections,
      (request, response) => {
        request.on('data', () => pieces.push((pieces.pop() ?? 0) + 1));
        request.once('end', () => response.end('<read>'));
      },
      async (clients) => {
        round();
        for (const client of clients) {
          client.send(...CHUNKED);
          client.socket.write(`${'1\r\nx\r\n'.repeat(chunks)}0\r\n\r\n`);
        }
        await Promise.all(clients.map((client) => client.receives(/<read>/)));
        isDone = true;
      },
    );
    // A piece of 4 KiB has 683 chunks at most. Where a round is counted between two pieces, it has both.
    expect(Math.max(...pieces)).toBeLessThanOrEqual(2 * 683 * connections);
  });

  it('has a body held back that nobody reads', async () => {
    let unread: IncomingMessage | undefined;
    await serving(
      1,
      (request, response) => {
        unread = request;
        request.once('end', () => response.end('<read>'));
      },
      async ([client]) => {
        client?.send('POST / HTTP/1.1', 'Host: a', 'Content-Length: 20000000', '', '');
        const taken = client?.socket.write('x'.repeat(20_000_000));
        await eventually('it is with its route', () => unread !== undefined);
        await sleep(200);
        expect([taken, (client?.socket.writableLength ?? 0) > 1_000_000]).toEqual([false, true]);
        unread?.resume();
        await client?.receives(/<read>/);
      },
    );
  });
});
