import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Arena } from '../arena.js';
import { times } from '../arena.js';
import type { Attack } from '../attack.js';

/** Connections to a listener, closed when `work` is done. */
async function connected<T>(url: string, count: number, work: (sockets: readonly Socket[]) => Promise<T>): Promise<T> {
  const { hostname, port } = new URL(url);
  const sockets = times(count, () => connect(Number(port), hostname).on('error', () => undefined));
  try {
    await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
    return await work(sockets);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** Sends a request many times over without waiting for an answer. */
const pipeline = (socket: Socket, path: string, count: number): boolean =>
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(count));

const whole = async (arena: Arena): Promise<void> => {
  const answer = await fetch(`${arena.internalUrl}/ping`);
  if (answer.status !== 200) throw new Error(`the internal port answers ${answer.status}`);
};

export const CONNECTION_ATTACKS: readonly Attack[] = [
  {
    attack: 'eight connections that read nothing, each with 3,000 pipelined GET /openapi.json, without a token',
    act: (arena) =>
      connected(arena.publicUrl, 8, async (sockets) => {
        for (const socket of sockets) {
          socket.pause();
          pipeline(socket, '/openapi.json', 3_000);
        }
        await sleep(8_000);
        await whole(arena);
        return `${sockets.reduce((sum, socket) => sum + socket.bytesRead, 0)} bytes read`;
      }),
  },
  {
    attack: '20,000 pipelined GET /ping on one connection, and on eight',
    act: (arena) =>
      connected(arena.publicUrl, 9, async (sockets) => {
        let answers = 0;
        for (const socket of sockets) {
          socket.on('data', (chunk: Buffer) => {
            answers += chunk.toString('latin1').split('HTTP/1.1 200').length - 1;
          });
          pipeline(socket, '/ping', 20_000);
        }
        await sleep(8_000);
        return `${answers > 0 ? 'answered' : 'not answered'} while others were`;
      }),
  },
  {
    attack: '3,000 connections that say nothing',
    act: (arena) =>
      connected(arena.publicUrl, 3_000, async (sockets) => {
        await sleep(2_000);
        await whole(arena);
        return sockets.some((socket) => socket.destroyed) ? 'those past the bound were closed' : 'all were kept';
      }),
  },
  {
    attack: '100 requests whose bodies drip in, a byte at a time, without a token',
    act: (arena) =>
      connected(arena.publicUrl, 100, async (sockets) => {
        for (const socket of sockets) {
          socket.write('POST /events/search HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n');
          socket.write('Content-Length: 1000000\r\n\r\n');
        }
        for (let second = 0; second < 5; second += 1) {
          for (const socket of sockets) if (!socket.destroyed) socket.write('{');
          await sleep(1_000);
        }
        return 'served others meanwhile';
      }),
  },
  {
    attack: '2,100 requests whose bodies drip in, a byte at a time, without a token: more than there are connections',
    act: (arena) =>
      connected(arena.publicUrl, 2_100, async (sockets) => {
        for (const socket of sockets) {
          socket.write('POST /events/search HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n');
          socket.write('Content-Length: 1000000\r\n\r\n');
        }
        const got: Record<number, number> = {};
        for (let second = 0; second < 5; second += 1) {
          for (const socket of sockets) if (!socket.destroyed) socket.write('{');
          const { status } = await fetch(`${arena.publicUrl}/ping`, { headers: { connection: 'close' } });
          got[status] = (got[status] ?? 0) + 1;
          await sleep(1_000);
        }
        if (got[200] !== 5) throw new Error(`others who connected got ${JSON.stringify(got)}`);
        return 'others connected, and were served';
      }),
  },
  {
    attack: '2,100 connections that take nothing of many GET /openapi.json, without a token',
    act: (arena) =>
      connected(arena.publicUrl, 2_100, async (sockets) => {
        for (const socket of sockets) {
          socket.pause();
          pipeline(socket, '/openapi.json', 100);
        }
        await sleep(5_000);
        const got: Record<number, number> = {};
        for (let time = 0; time < 5; time += 1) {
          const { status } = await arena.ask('GET', '/ping', { headers: { connection: 'close' } });
          got[status] = (got[status] ?? 0) + 1;
          await sleep(1_000);
        }
        if (got[200] !== 5) throw new Error(`others who connected got ${JSON.stringify(got)}`);
        return 'others connected, and were served';
      }),
  },
  {
    attack: 'three answers of all records, read at 340 kB/s, with the searches of a second client beside them',
    act: async (arena) => {
      const [slow, other] = [await arena.client(), await arena.client()];
      const query = { clauses: [{ createdAt: { type: 'range', gte: '2000-01-01', lte: '2100-01-01' } }] };
      const body = JSON.stringify({ query, limit: 10_000 });
      return connected(arena.publicUrl, 3, async (sockets) => {
        for (const socket of sockets) {
          socket.write(`POST /events/search HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${slow.token}\r\n`);
          socket.write(`Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
          socket.pause();
          void readSlowly(socket, 340_000 / 3);
        }
        const until = performance.now() + 8_000;
        const got: Record<number, number> = {};
        while (performance.now() < until) {
          const { status } = await arena.search(other, query, { limit: 1_000 });
          got[status] = (got[status] ?? 0) + 1;
        }
        if ((got[200] ?? 0) === 0) throw new Error(`the second client got ${JSON.stringify(got)}`);
        return `the second client got ${JSON.stringify(got).replaceAll('"', '')}`;
      });
    },
  },
];

/** Takes so many bytes a second of what comes. */
async function readSlowly(socket: Socket, bytesPerSecond: number): Promise<void> {
  const closed = (): boolean => socket.destroyed;
  while (!closed()) {
    const until = socket.bytesRead + bytesPerSecond / 10;
    socket.resume();
    while (!closed() && socket.bytesRead < until) await sleep(5);
    socket.pause();
    await sleep(100);
  }
}
