import { randomUUID } from 'node:crypto';

import type { RunningApplication } from '../support/application.js';
import { startApplication } from '../support/application.js';
import type { Created } from '../support/asking-integrations.js';
import { askingIntegrations, INSTANT, UUID } from '../support/asking-integrations.js';

let service: RunningApplication;
let administrator: string;
beforeAll(async () => {
  service = await startApplication({ env: { SECRET_OVERLAP_SECONDS: '600' } });
  administrator = await service.issuer.token({ sub: 'anna' });
});
afterAll(() => service.stop());

const { ask, create, tokenOf, accessToken, holderOf } = askingIntegrations(() => ({ service, administrator }));

describe('an integration', () => {
  it('is created under all three addresses, gets tokens, and is listed and shown without its secret', async () => {
    for (const path of ['/integrations', '/events/integrations', '/api/events/integrations']) {
      const { status, json, headers } = await ask('POST', path, { name: 'NID', scopes: ['type=record.search'] });
      expect([status, headers['cache-control'], json]).toEqual([
        200,
        'no-store',
        { clientId: UUID, shaSecret: UUID, clientSecret: UUID },
      ]);
    }
    const made = await create(['type=record.search&event=birth'], 'A hospital');
    expect((await tokenOf(made.clientId, made.clientSecret)).status).toBe(200);
    const shown = {
      ...{ id: made.clientId, name: 'A hospital', scopes: ['type=record.search&event=birth'], status: 'active' },
      ...{ createdAt: INSTANT, createdBy: 'anna' },
    };
    expect((await ask('GET', '/integrations')).json).toContainEqual(shown);
    expect((await ask('GET', `/integrations/${made.clientId.toUpperCase()}`)).json).toEqual({
      ...shown,
      shaSecret: made.shaSecret,
    });
  });

  it('brings credentials of its own, and never those of another client, or one that is gone', async () => {
    const credentials = { clientId: randomUUID(), clientSecret: 'a secret made elsewhere' };
    const order = { name: 'country configuration', scopes: ['record.search'], credentials };
    expect((await ask('POST', '/integrations', order)).json).toMatchObject(credentials);
    expect((await tokenOf(credentials.clientId, credentials.clientSecret)).status).toBe(200);
    const taken = {
      status: 409,
      json: { code: 'CONFLICT', message: `An integration with client id ${credentials.clientId} already exists` },
    };
    expect(await ask('POST', '/integrations', order)).toMatchObject(taken);
    await ask('DELETE', `/integrations/${credentials.clientId}`);
    expect(await ask('POST', '/integrations', order)).toMatchObject(taken);
  });

  it('is disabled without a body: any but an empty one is told what is wrong with it', async () => {
    const { clientId } = await create();
    const answered = async (type: string, body: string): Promise<number> => {
      const headers = { 'content-type': type };
      const path = `/integrations/${clientId}/deactivate`;
      return (await service.request('POST', path, { token: administrator, headers, body })).status;
    };
    expect([
      await answered('text/plain', 'now'),
      await answered('application/json', JSON.stringify({ name: 'x'.repeat(2 ** 20) })),
      await answered('application/json', '{"name":"NID"}'),
      await answered('application/json', '{}'),
    ]).toEqual([415, 413, 400, 200]);
  });

  it('is disabled and activated as often as that is asked for, with its tokens', async () => {
    const made = await create();
    const token = await accessToken(made);
    const changed = { id: made.clientId, name: 'NID' };
    const search = () =>
      ask('POST', '/events/search', { query: { type: 'and', clauses: [{ eventType: 'x' }] } }, token);
    for (const [act, status, answered] of [
      ['deactivate', 'disabled', 401],
      ['deactivate', 'disabled', 401],
      ['activate', 'active', 200],
      ['activate', 'active', 200],
    ] as const) {
      expect(await ask('POST', `/integrations/${made.clientId}/${act}`)).toMatchObject({
        status: 200,
        json: { ...changed, status },
      });
      expect((await search()).status).toBe(answered);
      const listed = (await ask('GET', `/integrations?status=${status}`)).json;
      expect(listed).toContainEqual(expect.objectContaining({ id: made.clientId, status }));
    }
  });

  it('gets another secret; the one before is good for a while, one before that is not', async () => {
    const made = await create();
    const refreshed: string[] = [made.clientSecret];
    for (let at = 0; at < 2; at += 1) {
      const { status, json } = await ask('POST', `/integrations/${made.clientId}/refresh-secret`);
      expect([status, json]).toEqual([200, { clientId: made.clientId, clientSecret: UUID }]);
      refreshed.push((json as Created).clientSecret);
      const good = await Promise.all(
        refreshed.map(async (secret) => (await tokenOf(made.clientId, secret)).status === 200),
      );
      expect(good).toEqual(
        [
          [true, true],
          [false, true, true],
        ][at],
      );
    }
    expect((await ask('GET', `/integrations/${made.clientId}`)).json).toMatchObject({ shaSecret: made.shaSecret });
  });

  it('is deleted with its tokens and webhooks, and is unknown from then on', async () => {
    const made = await create(['webhook', 'recordsearch'], 'Short-lived');
    const token = await accessToken(made);
    const path = `/integrations/${made.clientId}`;
    expect(await ask('DELETE', path)).toMatchObject({ status: 200, json: { id: made.clientId, name: 'Short-lived' } });
    expect((await ask('GET', '/webhooks', undefined, token)).status).toBe(401);
    expect((await tokenOf(made.clientId, made.clientSecret)).status).toBe(401);
    expect(JSON.stringify((await ask('GET', '/integrations')).json)).not.toContain(made.clientId);
    const format = { client_id: made.clientId, format: 'opencrvs-1x' };
    const set = { token: administrator, body: format, listener: 'internal' } as const;
    expect((await service.request('POST', '/setWebhookFormat', set)).status).toBe(404);
    const gone = {
      status: 404,
      json: { code: 'NOT_FOUND', message: `System client not found with ID: ${made.clientId}` },
    };
    for (const [method, rest] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/deactivate'],
      ['POST', '/activate'],
      ['POST', '/refresh-secret'],
      ['PUT', '/jwks'],
    ] as const) {
      const body = method === 'PUT' ? { keys: [] } : undefined;
      expect(await ask(method, `${path}${rest}`, body)).toMatchObject(gone);
      expect((await ask(method, `/integrations/${randomUUID()}${rest}`, body)).status).toBe(404);
      expect(await ask(method, `/integrations/x${rest}`, body)).toMatchObject({
        status: 400,
        json: { issues: [{ message: 'id: must be a UUID' }] },
      });
    }
  });

  it('is listed page by page, the oldest first', async () => {
    for (let at = 0; at < 3; at += 1) await create(['webhook'], `page ${at}`);
    const whole = (await ask('GET', '/integrations')).json as { id: string }[];
    const walked: unknown[] = [];
    let next: string | undefined = '/integrations?status=active&limit=2';
    while (next !== undefined) {
      const page: Awaited<ReturnType<typeof ask>> = await ask('GET', next);
      walked.push(...(page.json as unknown[]));
      next = /<([^>]+)>; rel="next"/.exec(String(page.headers['link']))?.[1];
    }
    expect(walked).toEqual(whole.filter((one) => 'status' in one && one.status === 'active'));
    expect(whole.length).toBeGreaterThan(4);
  });
});

describe('nobody', () => {
  it('asks without integration.create, or without a token', async () => {
    const holder = await holderOf('record.search');
    for (const [method, path] of [
      ['POST', '/integrations'],
      ['GET', '/integrations'],
      ['GET', `/integrations/${randomUUID()}`],
      ['POST', `/integrations/${randomUUID()}/activate`],
      ['POST', `/integrations/${randomUUID()}/deactivate`],
      ['POST', `/integrations/${randomUUID()}/refresh-secret`],
      ['PUT', `/integrations/${randomUUID()}/jwks`],
      ['DELETE', `/integrations/${randomUUID()}`],
    ] as const) {
      expect((await ask(method, path, undefined, holder)).status).toBe(403);
      expect((await service.request(method, path)).status).toBe(401);
    }
  });

  it('grants a scope that he does not hold, nor takes over a client that has one', async () => {
    const bea = await holderOf('integration.create', 'type=record.search&event=birth,death');
    const asBea = (scopes: readonly string[]) => ask('POST', '/integrations', { name: 'b', scopes }, bea);
    expect((await asBea(['type=record.search&event=birth', 'integration.create'])).status).toBe(200);
    expect(
      await asBea(['type=record.search&event=birth', 'record.search', 'record.read', 'user.create']),
    ).toMatchObject({
      status: 403,
      json: {
        code: 'FORBIDDEN',
        message: 'Nobody grants a scope that he does not hold: "record.search", "record.read", "user.create"',
      },
    });
    const stronger = await create(['record.read']);
    const path = `/integrations/${stronger.clientId}`;
    for (const act of ['activate', 'refresh-secret']) {
      expect((await ask('POST', `${path}/${act}`, undefined, bea)).status).toBe(403);
    }
    expect((await ask('PUT', `${path}/jwks`, { keys: [] }, bea)).status).toBe(403);
    expect((await ask('GET', path, undefined, bea)).json).toMatchObject({ shaSecret: null });
    expect((await ask('POST', `${path}/deactivate`, undefined, bea)).status).toBe(200);
  });

  it('makes a client an administrator', async () => {
    for (const scope of ['natlsysadmin', 'sysadmin']) {
      expect((await ask('POST', '/integrations', { name: 'a', scopes: [scope] })).status).toBe(400);
    }
  });

  it.each<[unknown, readonly string[]]>([
    [{ name: '', scopes: ['webhook'] }, ['name: Integration name is required']],
    [{ name: 'a', scopes: [] }, ['scopes: At least one scope is required']],
    [{}, ['name: is required', 'scopes: is required']],
    [{ name: 'a', scopes: 'webhook' }, ['scopes: must be an array']],
    [{ name: null, scopes: null }, ['name: must be a string', 'scopes: must be an array']],
    [
      { name: ' ', scopes: [5, 'webhook', 'nonsense', 'x'.repeat(2_001)], jwks: { keys: [{ kty: 'oct' }] }, more: 1 },
      [
        'more: is not a known key; allowed: name, scopes, credentials, jwks',
        'name: Integration name is required',
        'scopes[0]: must be a string',
        'scopes[2]: "nonsense" is no scope that this service understands: "nonsense" is no type of scope',
        'scopes[3]: must be at most 2000 characters',
        'jwks.keys[0]: is a symmetric key; register public keys alone',
      ],
    ],
    [
      { name: 'a', scopes: ['webhook', 'type=record.serch'] },
      ['scopes[1]: "type=record.serch" is no scope that this service understands: "record.serch" is no type of scope'],
    ],
    [{ name: 'a\u0000', scopes: ['webhook'] }, [expect.stringMatching(/^name: /) as string]],
    [
      { name: 'a', scopes: ['webhook'], status: 'active' },
      [expect.stringMatching(/^status: is not a known key/) as string],
    ],
    [
      { name: 'a', scopes: ['webhook'], credentials: { clientId: randomUUID() } },
      ['credentials.clientSecret: is required'],
    ],
    [
      { name: 'a', scopes: ['webhook'], credentials: { clientId: 'x', clientSecret: 'short' } },
      [
        'credentials.clientId: must be a UUID',
        'credentials.clientSecret: must be longer than or equal to 16 characters',
      ],
    ],
  ])('creates %j', async (body, issues) => {
    const { status, json } = await ask('POST', '/integrations', body);
    expect([status, (json as { issues: { message: string }[] }).issues.map(({ message }) => message)]).toEqual([
      400,
      issues,
    ]);
  });

  it.each(['status=deleted', 'limit=0', 'limit=1001', 'cursor=x', 'order=name', 'status=active&status=disabled'])(
    'lists with ?%s',
    async (query) => {
      expect((await ask('GET', `/integrations?${query}`)).status).toBe(400);
    },
  );
});

describe('a scope of an earlier release', () => {
  it('is shown as what it has become, wherever a client is registered with it, and is good in a token', async () => {
    const scopes = [
      'record.confirm-registration[event=birth|death]',
      'user.read:my-office',
      'search[event=birth,access=all]',
    ];
    const became = [
      'type=record.action.accept&event=birth,death',
      'type=user.read&accessLevel=location',
      'type=record.search&event=birth',
    ];
    const { json } = await ask('POST', '/integrations', { name: '1.9', scopes });
    const { clientId } = json as Created;
    expect(json).toMatchObject({ scopes: became });
    expect((await ask('GET', `/integrations/${clientId}`)).json).toMatchObject({ scopes: became });

    const registered = await service.request('POST', '/registerSystemClient', {
      listener: 'internal',
      token: administrator,
      body: { scope: 'record.registration-request-correction' },
    });
    expect([registered.status, registered.json]).toEqual([
      201,
      { client_id: UUID, client_secret: UUID, sha_secret: UUID, scope: ['record.request-correction'] },
    ]);

    const search = { query: { type: 'and', clauses: [{ eventType: 'birth' }] } };
    expect((await ask('POST', '/events/search', search, await holderOf('search[event=birth]'))).status).toBe(200);
  });
});
