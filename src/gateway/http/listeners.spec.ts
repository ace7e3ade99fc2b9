import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { Agent, get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { RawConnection } from '../../../test/support/raw-connection.js';
import { HANG_MS } from '../../../test/support/time-outs.js';
import { errorCode } from '../../kernel/errors/service-error.js';
import { readConfig } from '../../platform/config/read-config.js';
import { Listeners } from './listeners.js';

const SETTINGS = { MAX_CONNECTIONS: 10, KEEP_ALIVE_SECONDS: 0.1 };
const DEADLINES = { head: 300, answer: 300, last: 0 };

/** Both listeners, with deadlines of some hundred milliseconds, and the refusals. */
async function listening<T>(
  handler: RequestListener,
  use: (url: string, told: string[]) => Promise<T>,
  deadlines = DEADLINES,
  settings = SETTINGS,
): Promise<T> {
  const told: string[] = [];
  const listeners = new Listeners(settings, deadlines);
  listeners.tellRefusals((refusal, client) => told.push(`${refusal} ${client}`));
  listeners.create(handler);
  await listeners.listen(readConfig({ PORT: '0', INTERNAL_PORT: '0' }));
  try {
    return await use(listeners.url('public') ?? '', told);
  } finally {
    await listeners.close(0);
  }
}

/** More than the buffers of a connection hold. */
const LARGE = Buffer.alloc(8_000_000);
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

  it('keeps a connection open between requests for as long as it is told', async () => {
    await listening(
      (_request, response) => response.end('x'),
      async (url) => {
        const connection = await RawConnection.to(url);
        connection.send(...REQUEST);
        expect(await connection.receives(/x$/)).toContain('Keep-Alive: timeout=95\r\n');
        // Longer than every other deadline.
        await sleep(2 * DEADLINES.answer);
        connection.send(...REQUEST);
        await connection.receives(/x[^]*x$/);
      },
      DEADLINES,
      { ...SETTINGS, KEEP_ALIVE_SECONDS: 95 },
    );
  });

  it.each([
    ['1.0', 'a part', 'ECONNRESET'],
    ['1.0', 'the whole', undefined],
    ['1.1', 'a part', undefined],
  ])('over HTTP/%s ends an answer of which it sends %s with %s', async (version, sent, code) => {
    await listening(
      (_request, response) => {
        response.write('part');
        if (sent === 'a part') setTimeout(() => response.destroy(), 50);
        else response.end(' and rest');
      },
      async (url) => {
        const connection = await RawConnection.to(url);
        let seen: unknown;
        connection.socket.on('error', (error) => {
          seen = errorCode(error);
        });
        connection.send(`GET / HTTP/${version}`, 'Host: a', '', '');
        const text = await connection.closed();
        expect([seen, text.includes('part'), text.endsWith('and rest'), text.endsWith('0\r\n\r\n')]).toEqual([
          ...[code, true, sent === 'the whole', false],
        ]);
      },
    );
  });

  it.each([
    ['GET', [...REQUEST, ...REQUEST]],
    ['many', Array<string[]>(3_000).fill(REQUEST).flat()],
    ['CONNECT', [...REQUEST, 'CONNECT a:1 HTTP/1.1', 'Host: a', '', '']],
    ['no HTTP', [...REQUEST, 'GARBAGE', '', '']],
  ])('ends a connection whose next request comes before the answer, which nobody sees: %s', async (_, lines) => {
    const handled: (string | undefined)[] = [];
    await listening(
      ({ url }, response) => {
        handled.push(url);
        setTimeout(() => response.end('x'), 50);
      },
      async (url) => {
        const pipelining = await RawConnection.to(url);
        pipelining.send(...lines);
        expect([await pipelining.closed(), handled]).toEqual(['', ['/']]);
      },
    );
  });

  it('goes on with a connection whose next request comes as soon as its client has the answer', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    await listening(
      ({ socket }, response) => {
        ports.add(socket.remotePort);
        response.end(LARGE);
      },
      async (url) => {
        for (let asked = 1; asked <= 50; asked += 1) {
          const [answer] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
          expect(await buffer(answer)).toHaveLength(LARGE.length);
        }
      },
      DEADLINES,
      { ...SETTINGS, KEEP_ALIVE_SECONDS: 95 },
    );
    agent.destroy();
    expect(ports.size).toBe(1);
  });

  it('answers CONNECT, and ends the connection', async () => {
    await listening(
      (_request, response) => response.end('x'),
      async (url) => {
        const connection = await RawConnection.to(url);
        connection.send('CONNECT example.org:443 HTTP/1.1', 'Host: example.org:443', '', 'GET / HTTP/1.1', '');
        const answer = (await connection.closed()).split('\r\n');
        expect([answer[0], answer.includes('Allow: '), answer.includes('Connection: close'), answer.at(-1)]).toEqual([
          ...['HTTP/1.1 405 Method Not Allowed', true, true],
          '{"message":"Method not allowed","code":"METHOD_NOT_ALLOWED"}',
        ]);
      },
    );
  });

  it.each([
    ['answers what is on its way on a connection that was just used', HANG_MS, REQUEST, 2],
    ['ends a connection on which nothing comes', 50, [], 1],
  ])('%s when it closes', async (_, last, lines, answered) => {
    const listeners = new Listeners(
      { ...SETTINGS, KEEP_ALIVE_SECONDS: HANG_MS / 1_000 },
      { head: HANG_MS, answer: HANG_MS, last },
    );
    listeners.create((_request, response) => response.end('x'));
    await listeners.listen(readConfig({ PORT: '0', INTERNAL_PORT: '0' }));
    const url = listeners.url('public') ?? '';
    const connection = await RawConnection.to(url);
    connection.send(...REQUEST);
    await connection.receives(/x$/);
    const closed = listeners.close(HANG_MS);
    await expect(RawConnection.to(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    connection.send(...lines);
    expect((await connection.closed()).match(/HTTP\/1.1 200/g)).toHaveLength(answered);
    await closed;
  });

  it('survives a CONNECT whose client resets the connection', async () => {
    await listening(
      (_request, response) => setTimeout(() => response.end('x'), 50),
      async (url) => {
        for (const before of [[], REQUEST]) {
          const connection = await RawConnection.to(url);
          connection.send(...before, 'CONNECT a:1 HTTP/1.1', 'Host: a', '', '');
          connection.socket.resetAndDestroy();
          await connection.closed();
        }
        const next = await RawConnection.to(url);
        next.send(...REQUEST);
        await next.receives(/200 OK/);
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
        while (told.length === 0) await sleep(10);
        connection.socket.resume();
        await connection.closed();
        expect([told, connection.socket.bytesRead < 50_000_000]).toEqual([['unread-answer 127.0.0.1'], true]);
      },
    );
  });

  it('waits for an answer for as long as it takes to make, and for a client that is slow but takes it', async () => {
    const taken = await takenSlowly();
    expect(taken).toEqual({ told: [], bytes: SLOW_BYTES, isLate: false });
  });
});

const SLOW_BYTES = 20_000_000;

interface Taken {
  readonly told: readonly string[];
  readonly bytes: number;
  /** Whether a read came so late that the connection may have been cut off rightly. */
  readonly isLate: boolean;
}

/**
 * Takes an answer in small pieces for longer than the deadline. A machine that stood still in between proves nothing:
 * again.
 */
async function takenSlowly(): Promise<Taken> {
  const deadline = 1_000;
  for (;;) {
    const taken = await listening(
      (_request, response) => {
        setTimeout(() => response.end(Buffer.alloc(SLOW_BYTES, 'x')), 1.5 * deadline);
      },
      (url, told) => takeSlowly(url, told, deadline / 2),
      { ...DEADLINES, answer: deadline },
    );
    if (!taken.isLate) return taken;
  }
}

async function takeSlowly(url: string, told: string[], lateMs: number): Promise<Taken> {
  const connection = await RawConnection.to(url);
  connection.send(...REQUEST);
  await connection.receives(/^HTTP/);
  const { socket } = connection;
  let isLate = false;
  while (!socket.closed && socket.bytesRead < SLOW_BYTES) {
    const beganMs = performance.now();
    socket.pause();
    await sleep(100);
    socket.resume();
    await sleep(5);
    isLate ||= performance.now() - beganMs > lateMs;
  }
  return { told, bytes: Math.min(SLOW_BYTES, socket.bytesRead), isLate };
}
