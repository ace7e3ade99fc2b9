import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { LogLine, RunningApplication } from '../support/application.js';
import { DERIVED_VERSION } from '../../src/database/derived-version.js';
import { startApplication } from '../support/application.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase } from '../support/postgres.js';
import { RawConnection } from '../support/raw-connection.js';
import { TcpProxy } from '../support/tcp-proxy.js';

let service: RunningApplication;
beforeAll(async () => {
  service = await startApplication({ env: { CORS_ORIGINS: 'https://registry.example', TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => service.stop());

const logged = async (correlationId: string): Promise<readonly LogLine[]> => {
  for (;;) {
    const lines = service.log.filter((line) => line.correlationId === correlationId);
    if (lines.some(({ msg }) => msg === 'request')) return lines;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

describe('correlation ids', () => {
  const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

  it.each([
    ['its own', { 'x-correlation-id': 'mine-1' }, /^mine-1$/],
    ['that of its trace', { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` }, new RegExp(`^${TRACE}$`)],
    ['a new one in place of an unsafe one', { 'x-correlation-id': 'a b' }, /^[0-9a-f-]{36}$/],
    ['a new one', {}, /^[0-9a-f-]{36}$/],
  ])('a request is answered with %s', async (_, headers, id) => {
    for (const path of ['/ping', '/nowhere', '/openapi.json']) {
      expect((await service.request('GET', path, { headers })).headers['x-correlation-id']).toMatch(id);
    }
  });

  it('name the lines of their request, which tell who asked for what, and no secrets', async () => {
    const token = await service.issuer.token({ sub: 'registrar' });
    const headers = { 'x-correlation-id': 'log-1' };
    await service.request('POST', '/deactivateSystemClient?client_secret=topsecret', {
      listener: 'internal',
      token,
      headers,
      body: { client_id: 'topsecret' },
    });
    const lines = await logged('log-1');
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.any(String) as string,
        correlationId: 'log-1',
        method: 'POST',
        route: '/deactivateSystemClient',
        status: 400,
        ms: expect.any(Number) as number,
        caller: 'registrar',
        msg: 'request',
      },
    ]);
  });

  it('name the lines that a handler writes, with the names of deprecated parameters and never their values', async () => {
    const headers = { 'x-correlation-id': 'log-2' };
    await service.request('POST', '/token?client_id=b2b6a5d0-6f6c-4f0e-8f57-0c6c7a3b9f11&client_secret=topsecret', {
      headers,
    });
    const lines = await logged('log-2');
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      ['warn', expect.stringContaining('client_id, client_secret')],
      ['info', 'request'],
    ]);
    expect(JSON.stringify(lines)).not.toContain('topsecret');
  });
});

describe('headers', () => {
  it('of security are on every answer, and nothing tells what answers', async () => {
    for (const path of ['/ping', '/nowhere', '/docs']) {
      const { headers } = await service.request('GET', path);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
        'strict-transport-security': expect.stringContaining('max-age') as string,
        'content-security-policy': expect.stringContaining("script-src 'self'") as string,
        'cache-control': 'no-store',
      });
      expect(headers['x-powered-by']).toBeUndefined();
      expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
    }
  });

  it('of CORS answer a preflight, and say which headers a page may read', async () => {
    const connection = await RawConnection.to(service.publicUrl);
    connection.send(
      'OPTIONS /events/search HTTP/1.1',
      'Host: a',
      'Origin: https://registry.example',
      'Access-Control-Request-Method: POST',
      'Access-Control-Request-Headers: authorization',
      'Connection: close',
      '',
      '',
    );
    const answer = await connection.closed();
    expect(answer).toMatch(/^HTTP\/1.1 204 /);
    expect(answer).toMatch(/access-control-allow-origin: https:\/\/registry.example\r\n/);
    expect(answer).toMatch(/access-control-allow-methods: GET, HEAD, POST, PUT, DELETE\r\n/);
    expect(answer).toMatch(/access-control-allow-headers: authorization\r\n/);
    expect(answer).toMatch(/access-control-expose-headers: [^\r]*x-correlation-id/);
  });

  it('of CORS let the named origins in, and no others', async () => {
    const answers = await Promise.all(
      ['https://registry.example', 'https://other.example'].map((origin) =>
        service.request('GET', '/ping', { headers: { origin } }),
      ),
    );
    expect(answers.map(({ headers }) => [headers['access-control-allow-origin'], headers.vary])).toEqual([
      ['https://registry.example', 'Origin'],
      [undefined, 'Origin'],
    ]);
  });
});

describe('health', () => {
  it.each(['public', 'internal'] as const)('is told on the %s port', async (listener) => {
    const [live, ready, ping] = await Promise.all(
      ['/health/live', '/health/ready', '/ping'].map((path) => service.request('GET', path, { listener })),
    );
    expect([live, ready, ping].map((answer) => [answer?.status, answer?.json])).toEqual([
      [200, { status: 'up' }],
      [200, { status: 'up', checks: { database: 'up', migrations: 'up', derived: 'up', queue: 'up', changes: 'up' } }],
      [200, { success: true }],
    ]);
  });

  it('metrics are counted by route', async () => {
    await service.request('GET', '/events/../nowhere');
    await service.request('GET', '/docs/nothing');
    const { body } = await service.request('GET', '/metrics', { listener: 'internal' });
    const series = body.split('\n').filter((line) => line.startsWith('matricula_http_request_duration_seconds_count'));
    expect(series).toEqual(
      expect.arrayContaining([
        expect.stringContaining('{method="GET",route="/docs/:asset",status="404"}'),
        expect.stringContaining('{method="GET",route="unknown",status="404"}'),
        expect.stringContaining('{method="GET",route="/health/ready",status="200"}'),
      ]),
    );
    expect(body).toMatch(/^matricula_database_pool_connections\{state="total"\} [1-9]/m);
    expect(body).toMatch(/^process_cpu_seconds_total /m);
    expect(body).toMatch(/^matricula_webhook_deliveries\{status="pending"\} 0$/m);
  });
});

describe('what is not HTTP', () => {
  const of = (text: string): unknown => {
    const [head = '', body = ''] = text.split('\r\n\r\n');
    return [head.split('\r\n')[0], JSON.parse(body)];
  };
  const MALFORMED = ['HTTP/1.1 400 Bad Request', { message: 'The request is not valid HTTP', code: 'BAD_REQUEST' }];

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
    expect(of(await connection.closed())).toEqual([
      'HTTP/1.1 400 Bad Request',
      { message: 'The header of the request is too large', code: 'BAD_REQUEST' },
    ]);
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
      connection.socket.write(chunk);
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
    connection.send('POST /token HTTP/1.1', 'Host: a', 'X-Correlation-Id: gone-1', 'Content-Length: 10', '', '{"a"');
    await new Promise((resolve) => setTimeout(resolve, 100));
    connection.socket.destroy();
    expect((await logged('gone-1')).map(({ level, status, msg }) => [level, status, msg])).toEqual([
      ['info', 499, 'request'],
    ]);
  });
});

describe('failed credentials', () => {
  const attempt = async (clientId: string, secret: string, address: string): Promise<number> => {
    const { status, headers } = await service.request('POST', '/token', {
      headers: { 'x-forwarded-for': address },
      body: { client_id: clientId, client_secret: secret, grant_type: 'client_credentials' },
    });
    if (status === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    return status;
  };

  it('block their pair of client and address after ten, even with the right secret, and no other pair', async () => {
    const [client, other] = [await service.registerClient('HEALTH'), await service.registerClient('HEALTH')];
    const statuses: number[] = [];
    for (let failure = 1; failure <= 11; failure += 1) {
      statuses.push(await attempt(client.clientId, 'wrong', '10.0.0.1'));
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect([
      await attempt(client.clientId, client.clientSecret, '10.0.0.1'),
      await attempt(client.clientId.toUpperCase(), client.clientSecret, '10.0.0.1'),
      await attempt(client.clientId, client.clientSecret, '10.0.0.2'),
      await attempt(other.clientId, other.clientSecret, '10.0.0.1'),
    ]).toEqual([429, 429, 200, 200]);
  });
});

describe('the documentation', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { body, json } = await service.request('GET', '/openapi.json');
    expect(json).toMatchObject({ openapi: '3.1.0', info: { version: '2.0.0' } });
    const directory = mkdtempSync(join(tmpdir(), 'matricula-openapi-'));
    try {
      writeFileSync(join(directory, 'openapi.json'), body);
      // It fails, and says why, for a document that is not valid.
      execFileSync('node_modules/.bin/validate-api', [join(directory, 'openapi.json')]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('is what each port serves', async () => {
    const [outside, inside] = await Promise.all(
      (['public', 'internal'] as const).map(async (listener) => {
        const { json } = await service.request('GET', '/openapi.json', { listener });
        return Object.keys((json as { paths: object }).paths);
      }),
    );
    expect([outside?.includes('/metrics'), inside?.includes('/metrics')]).toEqual([false, true]);
    expect(inside).toEqual(expect.arrayContaining(outside ?? ['nothing']));
  });

  it.each(['/openapi.json', '/docs/swagger-ui.css'])('is not sent again to whoever has it: %s', async (path) => {
    const first = await service.request('GET', path);
    const again = await service.request('GET', path, { headers: { 'if-none-match': first.headers.etag ?? '' } });
    const changed = await service.request('GET', path, { headers: { 'if-none-match': '"other"' } });
    expect([first.status, again.status, again.body, changed.body]).toEqual([200, 304, '', first.body]);
  });

  it.each(['public', 'internal'] as const)('is where / and /docs/ of the %s port lead', async (listener) => {
    const url = listener === 'public' ? service.publicUrl : service.internalUrl;
    for (const path of ['/', '/docs/', '/?a=b']) {
      const led = await fetch(`${url}${path}`, { redirect: 'manual' });
      const page = await fetch(new URL(led.headers.get('location') ?? '', `${url}${path}`));
      expect([led.status, new URL(page.url).pathname, page.status]).toEqual([308, '/docs', 200]);
    }
    const behind = await fetch(`${url}/docs/`, { redirect: 'manual' });
    expect(new URL(behind.headers.get('location') ?? '', 'https://a.example/prefix/docs/').pathname).toBe(
      '/prefix/docs',
    );
  });

  it('has a page whose every part loads', async () => {
    const page = await service.request('GET', '/docs');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const parts = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part = '']) => part);
    expect(parts).toHaveLength(4);
    for (const part of parts) {
      const { status, body } = await service.request('GET', `/${part}`);
      expect([part, status, body.length > 100]).toEqual([part, 200, true]);
    }
  });
});

describe('a client past RATE_LIMIT_PER_MINUTE', () => {
  it('waits, while others do not', async () => {
    const limited = await startApplication({ env: { RATE_LIMIT_PER_MINUTE: '2' } });
    try {
      const ask = async (sub: string) =>
        limited.request('POST', '/deactivateSystemClient', {
          listener: 'internal',
          token: await limited.issuer.token({ sub }),
          body: {},
        });
      const statuses = [await ask('a'), await ask('a'), await ask('a'), await ask('b')].map(({ status }) => status);
      expect(statuses).toEqual([400, 400, 429, 400]);
    } finally {
      await limited.stop();
    }
  });
});

describe('without its database', () => {
  it('the service says so, asks to come back, and goes on once the database is there again', async () => {
    const database = await createTestDatabase();
    const proxy = await TcpProxy.to(database.url);
    const cut = await startApplication({ database, env: { DATABASE_URL: proxy.url } });
    try {
      const credentials = {
        client_id: 'b2b6a5d0-6f6c-4f0e-8f57-0c6c7a3b9f11',
        client_secret: 'x',
        grant_type: 'client_credentials',
      };
      const state = async () => {
        const [ready, live, token] = [
          await cut.request('GET', '/health/ready'),
          await cut.request('GET', '/health/live'),
          await cut.request('POST', '/token', { body: credentials }),
        ];
        return [ready.status, ready.json, live.status, token.status, token.headers['retry-after']];
      };
      const up = [
        200,
        { status: 'up', checks: { database: 'up', migrations: 'up', derived: 'up', queue: 'up', changes: 'up' } },
        200,
        401,
        undefined,
      ];
      expect(await state()).toEqual(up);
      await proxy.close();
      expect(await state()).toEqual([
        503,
        {
          status: 'down',
          checks: { database: 'down', migrations: 'down', derived: 'down', queue: 'down', changes: 'degraded' },
        },
        200,
        503,
        '1',
      ]);
      await proxy.open();
      // The feed of changes is made anew a moment later.
      await eventually('it is up', async () =>
        (await cut.request('GET', '/health/ready')).body.includes('"changes":"up"'),
      );
      expect(await state()).toEqual(up);
    } finally {
      await cut.stop();
      await proxy.close();
      await database.drop();
    }
  });

  it('the service is not ready while the database says nothing', async () => {
    const database = await createTestDatabase();
    const proxy = await TcpProxy.to(database.url);
    const frozen = await startApplication({ database, env: { DATABASE_URL: proxy.url } });
    try {
      proxy.freeze();
      const begin = Date.now();
      const { status } = await frozen.request('GET', '/health/ready');
      expect([status, Date.now() - begin < 4_000]).toEqual([503, true]);
    } finally {
      await proxy.close();
      await frozen.stop();
      await database.drop();
    }
  });

  it('the service is not ready while a migration has not run', async () => {
    const behind = await startApplication({ env: { MIGRATE_ON_START: 'false' } });
    try {
      await behind.database.dataSource.query("delete from migration where name like 'InitialSchema%'");
      const { status, json } = await behind.request('GET', '/health/ready');
      expect([status, json]).toEqual([
        503,
        { status: 'down', checks: { database: 'up', migrations: 'down', derived: 'down', queue: 'up', changes: 'up' } },
      ]);
    } finally {
      await behind.stop();
    }
  });
});

describe('what searches read', () => {
  it('is of this version, or the service is not ready, answers 503, and says why', async () => {
    const service = await startApplication();
    try {
      const { clientId, token } = await service.registerClient('RECORD_SEARCH');
      expect(clientId).not.toBe('');
      const search = async () => {
        const body = { query: { clauses: [{ eventType: 'birth' }] } };
        const { status, json } = await service.request('POST', '/events/search', { token, body });
        return [status, (json as { message?: string }).message];
      };
      const ready = async () => {
        const { status, json } = await service.request('GET', '/health/ready');
        return [status, (json as { checks: { derived: string } }).checks.derived];
      };
      const hold = (version: number) =>
        service.database.dataSource.query(`update derived_version set version = ${version}`);
      expect([await ready(), await search()]).toEqual([
        [200, 'up'],
        [200, undefined],
      ]);
      await hold(DERIVED_VERSION - 1);
      expect([await ready(), await search()]).toEqual([
        [503, 'needs reindex'],
        [503, expect.stringMatching(/matricula reindex makes it$/)],
      ]);
      await hold(DERIVED_VERSION + 1);
      expect([await ready(), await search()]).toEqual([
        [503, 'superseded'],
        [503, expect.stringMatching(/it has to give way to a later one$/)],
      ]);
      // Lines of the log come together, some later.
      await eventually('the log has told of both', () =>
        Promise.resolve(
          service.log.filter(({ msg }) => /later release|earlier release/.test(String(msg))).length === 2,
        ),
      );
      await hold(DERIVED_VERSION);
      expect([await ready(), await search()]).toEqual([
        [200, 'up'],
        [200, undefined],
      ]);
    } finally {
      await service.stop();
    }
  });
});

describe('ending', () => {
  const post = (length: number): readonly string[] => [
    'POST /token HTTP/1.1',
    'Host: a',
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    '',
    '',
  ];

  it('finishes what is in flight, closes what is idle, and takes nothing new', async () => {
    const ending = await startApplication({ env: { SHUTDOWN_DELAY_SECONDS: '1' } });
    const [idle, fresh, busy] = await Promise.all([
      RawConnection.to(ending.publicUrl),
      RawConnection.to(ending.internalUrl),
      RawConnection.to(ending.publicUrl),
    ]);
    idle.send('GET /ping HTTP/1.1', 'Host: a', '', '');
    await idle.receives(/"success":true/);
    busy.send(...post(2));
    const stopped = ending.stop();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const meanwhile = await ending.request('GET', '/health/ready');
    expect([meanwhile.status, meanwhile.json]).toEqual([
      503,
      { status: 'stopping', checks: { database: 'up', migrations: 'up', derived: 'up', queue: 'up', changes: 'up' } },
    ]);
    await Promise.all([idle.closed(), fresh.closed()]);
    await expect(RawConnection.to(ending.publicUrl)).rejects.toThrow('ECONNREFUSED');
    busy.send('{}');
    expect(await busy.closed()).toMatch(/^HTTP\/1.1 400 [^]*connection: close[^]*unsupported_grant_type/i);
    await stopped;
  });

  it('cuts off what does not finish in time', async () => {
    const ending = await startApplication({ env: { SHUTDOWN_GRACE_SECONDS: '1' } });
    const busy = await RawConnection.to(ending.publicUrl);
    busy.send(...post(2));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const begin = Date.now();
    await ending.stop();
    expect([await busy.closed(), Date.now() - begin < 5_000]).toEqual(['', true]);
  });
});
