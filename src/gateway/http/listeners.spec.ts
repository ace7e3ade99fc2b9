import type { RequestListener } from 'node:http';

import { RawConnection } from '../../../test/support/raw-connection.js';
import { readConfig } from '../../config/read-config.js';
import { Listeners } from './listeners.js';

const DEADLINES = { idle: 100, head: 300, answer: 300 };

/** Both listeners, with deadlines of some hundred milliseconds, and the refusals. */
async function listening(handler: RequestListener, use: (url: string, told: string[]) => Promise<void>): Promise<void> {
  const told: string[] = [];
  const listeners = new Listeners(10, DEADLINES);
  listeners.tellRefusals((refusal, client) => told.push(`${refusal} ${client}`));
  listeners.create(handler);
  await listeners.listen(readConfig({ PORT: '0', INTERNAL_PORT: '0' }));
  try {
    await use(listeners.url('public') ?? '', told);
  } finally {
    await listeners.close(0);
  }
}

const REQUEST = ['GET / HTTP/1.1', 'Host: a', '', ''];

describe('Listeners', () => {
  it.each([
    ['sends nothing', []],
    ['sends half a head', ['GET / HTTP/1.1', 'Host: a', '']],
    ['has its answer and asks nothing more', REQUEST],
  ])('ends a connection that %s', async (_, lines) => {
    await listening(
      (_request, response) => response.end('x'),
      async (url, told) => {
        const connection = await RawConnection.to(url);
        connection.send(...lines);
        await connection.closed();
        expect(told).toEqual([]);
      },
    );
  });

  it('ends a connection whose client takes nothing of its answer, and tells of it', async () => {
    await listening(
      (_request, response) => response.end(Buffer.alloc(50_000_000)),
      async (url, told) => {
        const connection = await RawConnection.to(url);
        connection.socket.pause();
        connection.send(...REQUEST);
        while (told.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
        connection.socket.resume();
        await connection.closed();
        expect([told, connection.socket.bytesRead < 50_000_000]).toEqual([['unread-answer 127.0.0.1'], true]);
      },
    );
  });

  it('waits for an answer for as long as it takes to make, and for a client that is slow but takes it', async () => {
    await listening(
      (_request, response) => {
        setTimeout(() => response.end(Buffer.alloc(20_000_000, 'x')), 1_000);
      },
      async (url, told) => {
        const connection = await RawConnection.to(url);
        connection.send(...REQUEST);
        await connection.receives(/^HTTP/);
        while (connection.socket.bytesRead < 20_000_000) {
          connection.socket.pause();
          await new Promise((resolve) => setTimeout(resolve, 100));
          connection.socket.resume();
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        expect(told).toEqual([]);
      },
    );
  }, 60_000);
});
