import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import fc from 'fast-check';

import { eventually } from '../../../test/support/eventually.js';
import { RawConnection } from '../../../test/support/raw-connection.js';
import { Connection } from './connection.js';
import { Turns } from './turns.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

interface Paces {
  readonly turns?: Turns;
  readonly mostParsingMs?: number;
  /** How many other clients there are. */
  readonly others?: number;
}

/** A server whose connections are paced, and client connections to it: one, unless told. */
async function serving(
  handler: Handler,
  use: (client: RawConnection, others: readonly RawConnection[]) => Promise<void>,
  onParsed: () => void = () => undefined,
  { turns = new Turns(), mostParsingMs, others = 0 }: Paces = {},
): Promise<void> {
  const connections = new Map<unknown, Connection>();
  const server = createServer((request, response) => {
    onParsed();
    connections.get(request.socket)?.take(request, response, () => {
      handler(request, response);
    });
  });
  server.on('connection', (socket) => connections.set(socket, new Connection(socket, turns, mostParsingMs)));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = await RawConnection.to(url);
  const clients = [client, ...(await Promise.all(Array.from({ length: others }, () => RawConnection.to(url))))];
  try {
    await use(client, clients.slice(1));
  } finally {
    for (const { socket } of clients) socket.destroy();
    server.close();
  }
}

/** Answers with the path and the body of the request, once both are there. */
const echo: Handler = (request, response) => {
  void text(request).then((body) => response.end(`<${request.url ?? ''} ${body}>`));
};

const answers = (received: string): readonly string[] => received.match(/<[^>]*>/g) ?? [];

interface Asked {
  readonly wire: string;
  readonly answer: string;
}

const body = fc.stringMatching(/^[a-z\r\n]{0,40}$/);
const asked: fc.Arbitrary<Omit<Asked, 'answer'> & { body: string }> = fc.oneof(
  fc.constant({ wire: 'GET PATH HTTP/1.1\r\nHost: a\r\n\r\n', body: '' }),
  fc.constant({ wire: '\r\n\r\nGET PATH HTTP/1.1\r\nHost: a\r\n\r\n', body: '' }),
  body.map((sent) => ({
    wire: `POST PATH HTTP/1.1\r\nHost: a\r\nContent-Length: ${sent.length}\r\n\r\n${sent}`,
    body: sent,
  })),
  fc
    .array(
      body.filter((chunk) => chunk !== ''),
      { maxLength: 3 },
    )
    .map((chunks) => ({
      wire: `POST PATH HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${[...chunks, '']
        .map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
        .join('')}`,
      body: chunks.join(''),
    })),
);

describe('Connection', () => {
  it('answers every request in its order, however they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(asked, { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat(2_000), { maxLength: 8 }),
        async (requests, cuts) => {
          const wire = requests.map((request, at) => request.wire.replace('PATH', `/${at}`)).join('');
          const ends = [...new Set(cuts.map((cut) => cut % wire.length)), wire.length].sort((a, b) => a - b);
          await serving(echo, async (client) => {
            let sent = 0;
            for (const end of ends) {
              client.socket.write(wire.slice(sent, end));
              sent = end;
              await new Promise(setImmediate);
            }
            const received = await client.receives(new RegExp(`<[^>]*>(?:[^]*<[^>]*>){${requests.length - 1}}`));
            expect(answers(received)).toEqual(requests.map((request, at) => `</${at} ${request.body}>`));
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('has one request with its route at a time, and parses the next alone meanwhile', async () => {
    const handled: ServerResponse[] = [];
    await serving(
      (_request, response) => handled.push(response),
      async (client) => {
        client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3_000));
        for (let turn = 1; turn <= 50; turn += 1) {
          await eventually('the next one is with its route', () => handled.length >= turn);
          await new Promise((resolve) => setTimeout(resolve, 2));
          expect(handled).toHaveLength(turn);
          handled.at(-1)?.end('x');
        }
      },
    );
  });

  it.each([
    [
      'at the end of a head',
      ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10005\r\n\r', `\n${'x'.repeat(10_000)}\r\n\r\ny`],
    ],
    ['within a head', ['POST / HTTP/1.1\r\nHost: a\r\nContent-Le', 'ngth: 3\r\n\r\nabc']],
    ['after a body', ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc', '']],
  ])('parses one request ahead where what it is sent is cut %s', async (_, [first = '', second = '']) => {
    let parsed = 0;
    await serving(
      () => undefined,
      async (client) => {
        client.socket.write(first);
        await new Promise((resolve) => setTimeout(resolve, 20));
        client.socket.write(second + 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_000));
        await eventually('the next request is parsed', () => Promise.resolve(parsed > 1));
        expect(parsed).toBe(2);
      },
      () => (parsed += 1),
    );
  });

  it('parses few requests ahead after a body in chunks', async () => {
    let parsed = 0;
    await serving(
      () => undefined,
      async (client) => {
        const chunked = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n';
        client.socket.write(chunked + 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_000));
        await eventually('the next request is parsed', () => Promise.resolve(parsed > 1));
        expect(parsed).toBeLessThan(20);
      },
      () => (parsed += 1),
    );
  });

  it('passes a body in chunks of a byte on in few pieces, read or not, and lets everything else happen between', async () => {
    // More than a stream holds before it is read: 64 KiB since Node 22.
    const [chunks, everyTurn] = [300_000, 0];
    let [rounds, isDone] = [0, false];
    const count = (): void => {
      rounds += 1;
      if (!isDone) setImmediate(count);
    };
    await serving(
      (request, response) => {
        const pieces: { readonly bytes: number; readonly rounds: number }[] = [];
        setTimeout(() => {
          const held = request.readableLength;
          count();
          request.on('data', ({ length: bytes }: Buffer) => pieces.push({ bytes, rounds }));
          request.once('end', () => {
            isDone = true;
            const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
            const isInTurns = new Set(pieces.map((piece) => piece.rounds)).size > pieces.length / 2;
            response.end(
              `<${bytes} ${String(held > 0)} ${String(pieces.length < chunks / 1_000)} ${String(isInTurns)}>`,
            );
          });
        }, 100);
      },
      async (client) => {
        client.send('POST / HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked', '', '');
        client.socket.write(`${'1\r\nx\r\n'.repeat(chunks)}0\r\n\r\n`);
        expect(answers(await client.receives(/<.*>/))).toEqual([`<${chunks} true true true>`]);
      },
      undefined,
      { mostParsingMs: everyTurn },
    );
  });

  it('parses bodies in chunks one after the other, however many connections send them', async () => {
    const [chunks, others, everyTurn] = [6_000, 9, 0];
    const pieces: number[] = [];
    let isDone = false;
    const round = (): void => {
      pieces.push(0);
      if (!isDone) setImmediate(round);
    };
    await serving(
      (request, response) => {
        request.on('data', () => pieces.push((pieces.pop() ?? 0) + 1));
        request.once('end', () => response.end('<read>'));
      },
      async (client, rest) => {
        round();
        const all = [client, ...rest];
        for (const one of all) {
          one.send('POST / HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked', '', '');
          one.socket.write(`${'1\r\nx\r\n'.repeat(chunks)}0\r\n\r\n`);
        }
        await Promise.all(all.map((one) => one.receives(/<read>/)));
        isDone = true;
        // Where a round is counted between two turns, it has both.
        expect(Math.max(...pieces)).toBeLessThanOrEqual(2);
      },
      undefined,
      { turns: new Turns(everyTurn), mostParsingMs: everyTurn, others },
    );
  });

  it('does not read on while its client takes no answers', async () => {
    let requests = 0;
    const large = Buffer.alloc(1_000_000, 'x');
    await serving(
      (_request, response) => {
        requests += 1;
        response.end(large);
      },
      async (client) => {
        client.socket.pause();
        client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_000));
        await new Promise((resolve) => setTimeout(resolve, 300));
        // What the system's buffers hold, and one more.
        expect(requests).toBeLessThan(20);
        client.socket.resume();
        while (requests < 100) await new Promise((resolve) => setTimeout(resolve, 5));
      },
    );
  });

  it('holds a body back that nobody reads', async () => {
    const bodies: IncomingMessage[] = [];
    await serving(
      (request, response) => {
        bodies.push(request);
        request.once('end', () => response.end('<read>'));
      },
      async (client) => {
        client.send('POST / HTTP/1.1', 'Host: a', 'Content-Length: 20000000', '', '');
        const taken = client.socket.write('x'.repeat(20_000_000));
        await eventually('it is with its route', () => bodies.length === 1);
        await new Promise((resolve) => setTimeout(resolve, 200));
        expect([taken, client.socket.writableLength > 1_000_000]).toEqual([false, true]);
        bodies[0]?.resume();
        await client.receives(/<read>/);
      },
    );
  });
});
