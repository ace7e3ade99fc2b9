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

  it('gets them all, in their order, while others get theirs', async () => {
    const pipelining = await connect();
    pipelining.send(requests('/ping', 10_000), 'GET /nowhere HTTP/1.1', 'Host: a', 'Connection: close', '', '');
    await expectNobodyWaitsDuring(pipelining.closed());
    expect(pipelining.text).toMatch(/HTTP\/1.1 404 Not Found[^]{1,2000}NOT_FOUND"}$/);
    expect(pipelining.text.match(/HTTP\/1.1 200 OK/g)).toHaveLength(10_000);
  });

  it('gets the answers of what was right before it is told what was not', async () => {
    const pipelining = await connect();
    pipelining.send(`${requests('/ping', 2)}GARBAGE\r\n\r\n${requests('/ping', 1)}`);
    const answers = (await pipelining.closed()).match(/HTTP\/1.1 \d+/g);
    expect(answers).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400']);
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

  it('end those whose clients do not take their answers', async () => {
    while (opened.length < MOST_CONNECTIONS) {
      const unread = await connect();
      unread.send(requests('/openapi.json', 1_000));
      await unread.receives(/200 OK/);
      unread.socket.pause();
    }
    await eventually('there is room', () =>
      service.request('GET', '/ping').then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
  });
});

describe('Host', () => {
  const NO_HOST = { message: 'host: must be given' };
  const TWO = { message: 'host: is given more than once' };
  const NO_SUCH = { message: 'host: must be a host, and a port if any' };

  it.each([
    ['none', 'GET /ping HTTP/1.1', [], NO_HOST],
    ['two', 'GET /ping HTTP/1.1', ['Host: a', 'Host: b'], TWO],
    ['the same twice', 'GET /ping HTTP/1.1', ['Host: a', 'host: a'], TWO],
    ['two in HTTP/1.0', 'GET /ping HTTP/1.0', ['Host: a', 'Host: b'], TWO],
    ['none at an address that is not there', 'GET /nowhere HTTP/1.1', [], NO_HOST],
    ['a path', 'GET /ping HTTP/1.1', ['Host: a/b'], NO_SUCH],
    ['somebody at a host', 'GET /ping HTTP/1.1', ['Host: a@b'], NO_SUCH],
    ['two in one', 'GET /ping HTTP/1.1', ['Host: a, b'], NO_SUCH],
    ['no port', 'GET /ping HTTP/1.1', ['Host: a:b'], NO_SUCH],
    ['a half bracket', 'GET /ping HTTP/1.0', ['Host: [::1'], NO_SUCH],
  ])('%s is refused with the error object', async (_, line, hosts, issue) => {
    for (const url of [service.publicUrl, service.internalUrl]) {
      const connection = await connect(url);
      connection.send(line, ...hosts, '', '');
      const [head = '', body = ''] = (await connection.closed()).split('\r\n\r\n');
      expect([head.split('\r\n')[0], JSON.parse(body)]).toEqual([
        'HTTP/1.1 400 Bad Request',
        { message: 'Input validation failed', code: 'BAD_REQUEST', issues: [issue] },
      ]);
      expect(head).toMatch(/x-correlation-id: /i);
    }
  });

  it.each(['', 'a', 'a_b.example', '127.0.0.1:7070', '[::1]:7070', '[fe80::1%25eth0]', 'xn--bcher-kva.example:'])(
    'may be "%s"',
    async (host) => {
      const connection = await connect();
      connection.send('GET /ping HTTP/1.1', `Host: ${host}`, 'Connection: close', '', '');
      expect(await connection.closed()).toMatch(/^HTTP\/1.1 200 OK/);
    },
  );

  it('need not be given in HTTP/1.0', async () => {
    const connection = await connect();
    connection.send('GET /ping HTTP/1.0', '', '');
    expect(await connection.closed()).toMatch(/^HTTP\/1.1 200 OK/);
  });
});

describe('what is not HTTP', () => {
  const of = (text: string): unknown => {
    const [head = '', body = ''] = text.split('\r\n\r\n');
    return [head.split('\r\n')[0], JSON.parse(body)];
  };
  const TOO_LARGE = [
    'HTTP/1.1 400 Bad Request',
    {
      message: 'The header of the request is too large: it may have 65536 bytes, in fewer than 1000 fields',
      code: 'BAD_REQUEST',
    },
  ];
  const MALFORMED = ['HTTP/1.1 400 Bad Request', { message: 'The request is not valid HTTP', code: 'BAD_REQUEST' }];

  it.each(['gzip, chunked', 'identity, chunked'])('is a body in %s, which nobody decodes', async (coding) => {
    const connection = await connect();
    connection.send('POST /auth/token HTTP/1.1', 'Host: a', `Transfer-Encoding: ${coding}`, '', '2', '{}', '0', '', '');
    const issues = [{ message: 'transfer-encoding: must be chunked' }];
    expect(of(await connection.closed())).toEqual([
      'HTTP/1.1 400 Bad Request',
      { message: 'Input validation failed', code: 'BAD_REQUEST', issues },
    ]);
  });

  it('is a body in chunks in HTTP/1.0, which others may take for the next request', async () => {
    const connection = await connect();
    const head = ['Connection: keep-alive', 'Transfer-Encoding: chunked', ''];
    connection.send('POST /auth/token HTTP/1.0', ...head, '2', '{}', '0', '', 'GET /ping HTTP/1.0', '', '');
    const answers = await connection.closed();
    expect(answers.match(/HTTP\/1.1 /g)).toHaveLength(1);
    expect(of(answers)).toEqual([
      'HTTP/1.1 400 Bad Request',
      {
        message: 'Input validation failed',
        code: 'BAD_REQUEST',
        issues: [{ message: 'transfer-encoding: must not be given in HTTP/1.0' }],
      },
    ]);
  });

  it.each([
    ['1,000 headers', 1_000, []],
    ['a second Authorization after them', 1_000, ['Authorization: Bearer b']],
    ['a body in chunks that is told after them', 1_010, ['Transfer-Encoding: chunked']],
    ['what comes far behind them', 5_000, ['Host: b']],
  ])('is a request with more headers than are read: %s', async (_, count, last) => {
    const connection = await connect();
    const others = Array.from({ length: count - 2 }, () => 'a:');
    connection.send('POST /events/search HTTP/1.1', 'Host: a', 'Authorization: Bearer a', ...others, ...last, '', '');
    expect(of(await connection.closed())).toEqual(TOO_LARGE);
  });

  it('are not 999 headers', async () => {
    const connection = await connect();
    const others = Array.from({ length: 997 }, () => 'a:');
    connection.send('GET /ping HTTP/1.1', 'Host: a', ...others, 'Connection: close', '', '');
    expect(await connection.closed()).toMatch(/^HTTP\/1.1 200 OK/);
  });

  it.each([
    ['garbage', 'GARBAGE\r\n\r\n'],
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a request without Host', 'GET /ping HTTP/1.1\r\nContent-Length: x\r\n\r\n'],
    ['two lengths', 'POST /token HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n12'],
    [
      'a length and chunks',
      'POST /token HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0',
    ],
    ['a chunk without a size', 'POST /token HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ])('is answered with the error object, and the end of the connection: %s', async (_, request) => {
    for (const url of [service.publicUrl, service.internalUrl]) {
      const connection = await RawConnection.to(url);
      connection.send(request);
      expect(of(await connection.closed())).toEqual(MALFORMED);
    }
  });

  it('includes a header that is too large', async () => {
    const connection = await RawConnection.to(service.publicUrl);
    connection.send('GET /ping HTTP/1.1', 'Host: a', `X: ${'x'.repeat(100_000)}`, '', '');
    expect(of(await connection.closed())).toEqual(TOO_LARGE);
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
