import type { RunningApplication } from '../support/application.js';
import { startApplication } from '../support/application.js';
import { RawConnection } from '../support/raw-connection.js';

let service: RunningApplication;
beforeAll(async () => {
  service = await startApplication();
});
afterAll(() => service.stop());

const opened: RawConnection[] = [];
const connect = async (url = service.publicUrl): Promise<RawConnection> => {
  const connection = await RawConnection.to(url);
  opened.push(connection);
  return connection;
};
afterEach(() => {
  for (const connection of opened.splice(0)) connection.socket.destroy();
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
    connection.send('POST /auth/token HTTP/1.0', ...head, '2', '{}', '0', '', '');
    expect(of(await connection.closed())).toEqual([
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
