import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { OpenAPIObject } from '@nestjs/swagger';

import type { RunningApplication } from '../support/application.js';
import { startApplication } from '../support/application.js';
import { aSecretsKey, succeed } from '../support/command-line.js';
import { documentedBodies, exampleSender, PASSWORD } from '../support/documented-requests.js';
import { eventually } from '../support/eventually.js';
import { expectRefused } from '../support/expect-refused.js';
import { loggedBy } from '../support/logged-request.js';
import type { ScriptedSubscriber } from '../support/scripted-subscriber.js';
import { startScriptedSubscriber } from '../support/scripted-subscriber.js';

let country: ScriptedSubscriber;
let service: RunningApplication;
beforeAll(async () => {
  country = await startScriptedSubscriber({ tls: false });
  const SECRETS_KEY = aSecretsKey();
  service = await startApplication({
    env: {
      ...{ TRUSTED_PROXIES: '127.0.0.1', SECRETS_KEY, SUPER_USER_PASSWORD: PASSWORD },
      ...{ COUNTRY_CONFIG_URL: `http://127.0.0.1:${country.port}` },
      ...{ WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' },
    },
  });
  await succeed(['seed', '--records', '20', '--seed', '1'], { SECRETS_KEY, DATABASE_URL: service.database.url });
});
afterAll(async () => {
  await service.stop();
  await country.close();
});

const logged = (correlationId: string) => loggedBy(service, correlationId);

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
});

describe('health', () => {
  it.each(['public', 'internal'] as const)('is told on the %s port', async (listener) => {
    // On a busy machine the feed of changes may have to be made anew.
    await eventually('changes are followed', async () =>
      (await service.request('GET', '/health/ready', { listener })).body.includes('"changes":"up"'),
    );
    const [live, ready, ping] = await Promise.all(
      ['/health/live', '/health/ready', '/ping'].map((path) => service.request('GET', path, { listener })),
    );
    expect([live, ready, ping].map((answer) => [answer?.status, answer?.json])).toEqual([
      [200, { status: 'up' }],
      [
        200,
        {
          status: 'up',
          checks: {
            ...{ database: 'up', migrations: 'up', derived: 'up', queue: 'up', changes: 'up' },
            ...{ confirmations: 'up', notices: 'up' },
          },
        },
      ],
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
    expect(body).toMatch(/^matricula_event_writes_waiting 0$/m);
    expect(body).toMatch(/^matricula_webhook_deliveries\{status="pending"\} 0$/m);
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
    await expectRefused(service, 'failed-credentials', '10.0.0.1');
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

  it('has an example of each error', async () => {
    const { json } = await service.request('GET', '/openapi.json', { listener: 'internal' });
    expect(errorsWithoutExample(json as OpenAPIObject)).toEqual([]);
  });

  it('begins with Create, Notify and Search, and declares every tag and describes every scope', async () => {
    const { json } = await service.request('GET', '/openapi.json', { listener: 'internal' });
    const { tags = [], paths, components } = json as OpenAPIObject;
    const names = tags.map(({ name }) => name);
    const used = Object.values(paths).flatMap((item) =>
      Object.values(item as Readonly<Record<string, Operation>>).flatMap((operation) => operation.tags ?? []),
    );
    const { flows } = components?.securitySchemes?.clientCredentials as {
      readonly flows: { readonly clientCredentials: { readonly scopes: Readonly<Record<string, string>> } };
    };
    const descriptions = Object.values(flows.clientCredentials.scopes);
    expect(names.slice(0, 3)).toEqual(['Create', 'Notify', 'Search']);
    expect([...new Set(used)].sort()).toEqual([...names].sort());
    expect(descriptions).toEqual([...new Set(descriptions)]);
  });

  it('has an example of every body of requests, which works when it is sent', async () => {
    const { json } = await service.request('GET', '/openapi.json', { listener: 'internal' });
    const bodies = documentedBodies(json as OpenAPIObject);
    const outcomeOf = exampleSender(service, country, json as OpenAPIObject);
    const outcomes: string[] = [];
    for (const body of bodies) outcomes.push(await outcomeOf(body));
    expect(outcomes).toEqual(bodies.map(({ operationId, type }) => `${operationId} ${type} 2xx`));
  });

  it('says that the times of a replay are in UTC, as the program wants them', async () => {
    const { json } = await service.request('GET', '/openapi.json', { listener: 'internal' });
    const { schemas } = (json as { components: { schemas: Record<string, { properties: object }> } }).components;
    const utc = expect.objectContaining({ format: 'date-time', pattern: '^.*Z$' }) as object;
    for (const name of ['ReplayDto', 'ConfirmationReplayDto']) {
      expect(schemas[name]?.properties).toMatchObject({ since: utc, until: utc });
    }
  });

  it('says that nobody rejects, archives or rejects a correction without a reason', async () => {
    const { json } = await service.request('GET', '/openapi.json');
    const { schemas } = (json as { components: { schemas: Record<string, object> } }).components;
    for (const name of ['ReasonedActionDto', 'RejectCorrectionDto']) {
      expect(schemas[name]).toMatchObject({
        properties: { content: { required: ['reason'], additionalProperties: false } },
        required: expect.arrayContaining(['content']) as object,
      });
    }
    const bodyOf = (path: string) =>
      JSON.stringify((json as OpenAPIObject).paths[`/events/{eventId}/${path}`]?.post?.requestBody).match(
        /\w+Dto/,
      )?.[0];
    expect(['actions/reject', 'actions/archive', 'correction/reject'].map(bodyOf)).toEqual([
      'ReasonedActionDto',
      'ReasonedActionDto',
      'RejectCorrectionDto',
    ]);
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
    // As a proxy that compresses has made it.
    const weak = await service.request('GET', path, { headers: { 'if-none-match': `W/${first.headers.etag ?? ''}` } });
    expect(weak.status).toBe(304);
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
      await expectRefused(limited, 'rate-limit', 'a');
    } finally {
      await limited.stop();
    }
  });
});

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** Errors of operations, such as `/token post 401`, for which the document has no example. */
function errorsWithoutExample({ paths, components }: OpenAPIObject): readonly string[] {
  const named = components?.responses ?? {};
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Readonly<Record<string, Operation>>).flatMap(([method, { responses = {} }]) =>
      Object.entries(responses)
        .filter(([status]) => status >= '400')
        .map(([status, one]) => ({ status, one: one && '$ref' in one ? named[one.$ref.split('/').at(-1) ?? ''] : one }))
        .filter(
          ({ one }) => one === undefined || '$ref' in one || one.content?.['application/json']?.example === undefined,
        )
        .map(({ status }) => `${path} ${method} ${status}`),
    ),
  );
}
