import { setTimeout as sleep } from 'node:timers/promises';

import type { RunningApplication } from '../support/application.js';
import { startApplication } from '../support/application.js';
import { eventually } from '../support/eventually.js';
import { loggedBy } from '../support/logged-request.js';
import { processorMsSoFar } from '../support/processor-time.js';
import { RawConnection } from '../support/raw-connection.js';

const MOST_CONNECTIONS = 12;

let service: RunningApplication;
beforeAll(async () => {
  service = await startApplication({
    // Of this the service itself needs more than half.
    env: { NODE_OPTIONS: '--max-old-space-size=160', MAX_CONNECTIONS: String(MOST_CONNECTIONS) },
  });
});
afterAll(async () => {
  await service.stop();
});

const logged = (correlationId: string) => loggedBy(service, correlationId);

const opened: RawConnection[] = [];
const connect = async (url = service.publicUrl): Promise<RawConnection> => {
  const connection = await RawConnection.to(url);
  opened.push(connection);
  return connection;
};
afterEach(() => {
  for (const connection of opened.splice(0)) connection.socket.destroy();
});

const requests = (path: string, count: number): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(count);

/** How long the service works, for whomever, until it answers, in ms of the processor: other programs do not add to it. */
async function workUntilAnswer(): Promise<number> {
  const { pid = NaN } = service.process;
  const before = await processorMsSoFar(pid);
  expect((await service.request('GET', '/ping')).status).toBe(200);
  return (await processorMsSoFar(pid)) - before;
}

/** Until `work` is done, the service never works for longer than a second before another client has its answer. */
async function expectNobodyWaitsDuring(work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  let longestMs = 0;
  while (!isDone) {
    longestMs = Math.max(longestMs, await workUntilAnswer());
    await sleep(50);
  }
  await done;
  expect(longestMs).toBeLessThan(1_000);
}

describe('a client that sends requests before it reads answers', () => {
  it.each(['/openapi.json', '/docs/swagger-ui-bundle.js', '/.well-known/jwks.json', '/nowhere'])(
    'costs the service no memory, and nobody else time: %s',
    async (path) => {
      for (let at = 0; at < 8; at += 1) {
        const attacker = await connect();
        attacker.socket.pause();
        attacker.send(requests(path, 3_000));
      }
      await expectNobodyWaitsDuring(sleep(3_000));
    },
  );

  it('has one answer at most, and its connection ends, on both ports', async () => {
    for (const url of [service.publicUrl, service.internalUrl]) {
      const pipelining = await connect(url);
      pipelining.send(requests('/ping', 1_000));
      expect((await pipelining.closed()).split('HTTP/1.1').length - 1).toBeLessThanOrEqual(1);
    }
  });
});

describe('more connections than MAX_CONNECTIONS', () => {
  /** A connection whose request is with its route, which waits for a body. */
  const busy = async (): Promise<void> => {
    const connection = await connect();
    connection.send('POST /token HTTP/1.1', 'Host: a', 'Content-Length: 10', 'Expect: 100-continue', '', '');
    await connection.receives(/100 Continue/);
  };

  it('end those that have waited longest without a request', async () => {
    const idle = await connect();
    const others: RawConnection[] = [];
    while (others.length < MOST_CONNECTIONS) others.push(await connect());
    expect((await service.request('GET', '/ping')).status).toBe(200);
    await idle.closed();
    const stillThere = others.at(-1);
    stillThere?.send(requests('/ping', 1));
    await stillThere?.receives(/"success":true/);
  });

  it('are refused where each has a request, which is counted and told, and the internal port is still there', async () => {
    while (opened.length < MOST_CONNECTIONS) await busy();
    const refused = await connect();
    refused.send(requests('/ping', 1));
    expect(await refused.closed()).toBe('');
    const { body } = await service.request('GET', '/metrics', { listener: 'internal' });
    expect(body).toMatch(/^matricula_refusals_total\{refusal="connections"\} [1-9]/m);
    // Log lines are written some milliseconds after they are made.
    const told = () => service.log.filter(({ refusal }) => refusal === 'connections');
    await eventually('it is told', () => told().length > 0);
    expect(told()).toEqual([expect.objectContaining({ level: 'warn', client: '127.0.0.1' })]);
    opened[0]?.socket.destroy();
    await eventually('there is room again', () =>
      service.request('GET', '/ping').then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
  });
});

describe('a connection', () => {
  it('goes on after a request that was refused with its body unread', async () => {
    const connection = await RawConnection.to(service.publicUrl);
    connection.send('POST /nowhere HTTP/1.1', 'Host: a', 'Content-Length: 3000000', '', 'x'.repeat(3_000_000));
    connection.send('GET /ping HTTP/1.1', 'Host: a', '', '');
    expect(await connection.receives(/"success":true/)).toMatch(/^HTTP\/1.1 404 [^]*HTTP\/1.1 200 OK/);
    connection.socket.destroy();
  });

  it('shows a client that closes after its request the refusal of a body that it is still sending', async () => {
    const connection = await RawConnection.to(service.publicUrl);
    connection.send('POST /token HTTP/1.1', 'Host: a', 'Connection: close', 'Content-Length: 5000000', '', '');
    await connection.receives(/413 Payload Too Large/);
    connection.send('x'.repeat(5_000_000));
    expect(await connection.closed()).toContain('PAYLOAD_TOO_LARGE');
  });

  it('is closed on a client that sends on and on', async () => {
    const connection = await RawConnection.to(service.publicUrl);
    connection.send('POST /nowhere HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked', '', '');
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    while (!connection.isClosed) {
      // No faster than it is taken, however slow the machine is.
      await new Promise((taken) => connection.socket.write(chunk, taken));
      await new Promise(setImmediate);
    }
    expect(await connection.closed()).toContain('404 Not Found');
  });

  it.each([
    ['asks for a body that will be read', '20', /^HTTP\/1.1 100 Continue/],
    ['refuses one that will not', '2000000', /^HTTP\/1.1 413 [^]*connection: close/i],
  ])('of a client that waits for 100 Continue: %s', async (_, length, expected) => {
    const connection = await RawConnection.to(service.publicUrl);
    connection.send(
      'POST /token HTTP/1.1',
      'Host: a',
      'Expect: 100-continue',
      'Content-Type: application/json',
      `Content-Length: ${length}`,
      '',
      '',
    );
    expect(await connection.receives(/\r\n\r\n/)).toMatch(expected);
    connection.socket.destroy();
  });

  it('that breaks off is no error', async () => {
    const connection = await RawConnection.to(service.publicUrl);
    const head = ['POST /token HTTP/1.1', 'Host: a', 'X-Correlation-Id: gone-1', 'Content-Length: 10'];
    // It is asked for its body once it is with its route.
    connection.send(...head, 'Expect: 100-continue', '', '');
    await connection.receives(/100 Continue/);
    connection.send('{"a"');
    connection.socket.destroy();
    expect((await logged('gone-1')).map(({ level, status, msg }) => [level, status, msg])).toEqual([
      ['info', 499, 'request'],
    ]);
  });
});
