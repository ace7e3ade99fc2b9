import type { RunningApplication } from '../support/application.js';
import { startApplication } from '../support/application.js';

let service: RunningApplication;
beforeAll(async () => {
  service = await startApplication({ env: { BODY_LIMIT_BYTES: '2048', IMPORT_LIMIT_BYTES: '8192' } });
});
afterAll(() => service.stop());

describe('addresses', () => {
  it.each([
    ['GET', '/ping', 200],
    ['GET', '/.well-known', 200],
    ['GET', '/auth/.well-known', 200],
    ['GET', '/.well-known/jwks.json', 200],
    ['POST', '/token', 400],
    ['POST', '/auth/token', 400],
  ])('%s %s is there', async (method, path, status) => {
    expect((await service.request(method, path)).status).toBe(status);
  });

  it.each([
    '/nowhere',
    '/~auth/token',
    '/%7Eauth/token',
    '//ping',
    '/ping/',
    '/Ping',
    '/PING',
    '/./ping',
    '/health/../ping',
    '/health/%2e%2e/ping',
    '/health%2Flive',
    '/health/%5C/live',
    '/health/%zz',
    '/events/bulk%2Dimport',
    '/metrics',
    '/registerSystemClient',
    '/auth/registerSystemClient',
    '/trigger/events/birth/actions/REGISTER',
  ])('nothing is found at %s on the public port', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, json } = await service.request(method, path);
      expect({ method, status, json }).toEqual({
        method,
        status: 404,
        json: { message: 'Not found', code: 'NOT_FOUND' },
      });
    }
  });

  it.each(['/events/search', '/events/events/search', '/api/events/events/search', '/api/events/events/s%65arch'])(
    '%s searches',
    async (path) => {
      const { token } = await service.registerClient('NATIONAL_ID');
      const body = { query: { type: 'and', clauses: [{ eventType: 'birth' }] } };
      const { status, json } = await service.request('POST', path, { token, body });
      expect([status, json]).toEqual([200, { results: [], total: 0 }]);
    },
  );

  it('may be as long as a header, and are then not found', async () => {
    expect((await service.request('GET', `/docs/${'x'.repeat(20_000)}`)).status).toBe(404);
  });

  it('are the same on the internal port, with more of them', async () => {
    const statuses = await Promise.all(
      [
        ['GET', '/ping'],
        ['GET', '/metrics'],
        ['POST', '/token'],
        ['POST', '/registerSystemClient'],
        ['GET', '/nowhere'],
      ].map(async ([method = '', path = '']) => (await service.request(method, path, { listener: 'internal' })).status),
    );
    expect(statuses).toEqual([200, 200, 400, 401, 404]);
  });
});

describe('methods', () => {
  it.each([
    ['GET', '/token', 'POST'],
    ['PUT', '/token', 'POST'],
    ['HEAD', '/auth/token', 'POST'],
    ['OPTIONS', '/token', 'POST'],
    ['TRACE', '/token', 'POST'],
    ['PROPFIND', '/token', 'POST'],
    ['POST', '/ping', 'GET, HEAD'],
    ['GET', '/events/search', 'POST'],
    ['DELETE', '/api/events/events/notify', 'POST'],
    ['DELETE', '/docs/swagger-ui.css', 'GET, HEAD'],
  ])('%s %s is not allowed, %s is', async (method, path, allow) => {
    const { status, headers } = await service.request(method, path);
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow });
  });

  it('HEAD answers as GET does, without the body', async () => {
    const [head, get] = [await service.request('HEAD', '/ping'), await service.request('GET', '/ping')];
    expect([head.status, head.body, head.headers['content-length']]).toEqual([
      get.status,
      '',
      get.headers['content-length'],
    ]);
  });
});

describe('the order of checks', () => {
  const OVERSIZED = 'x'.repeat(5_000);
  const FAULTY = { 'content-type': 'text/plain' };

  it.each([
    ['an unknown address, whatever else is wrong', 404, 'GET', '/nowhere', { headers: FAULTY, body: OVERSIZED }],
    ['a wrong method, before anything of the caller', 405, 'PUT', '/registerSystemClient', { body: OVERSIZED }],
    ['no credentials, before the body', 401, 'POST', '/registerSystemClient', { headers: FAULTY, body: OVERSIZED }],
    [
      'no credentials, and no media type that can be read',
      401,
      'POST',
      '/registerSystemClient',
      {
        headers: { 'content-type': '(garbage' },
        body: '{',
      },
    ],
  ] as const)('%s is %i', async (_, status, method, path, ask) => {
    expect((await service.request(method, path, { ...ask, listener: 'internal' })).status).toBe(status);
  });

  it.each([
    ['a token that may not, before the body', 403, { headers: FAULTY, body: OVERSIZED }, ['sysadmin']],
    ['a body that is too large, before its type', 413, { headers: FAULTY, body: OVERSIZED }, ['natlsysadmin']],
    ['a media type that is not taken, before its content', 415, { headers: FAULTY, body: '{' }, ['natlsysadmin']],
    ['a body that is not JSON', 400, { headers: { 'content-type': 'application/json' }, body: '{' }, ['natlsysadmin']],
    ['a body that is not valid', 400, { body: { scope: 'NONE' } }, ['natlsysadmin']],
    ['a body that is', 201, { body: { scope: 'HEALTH' } }, ['natlsysadmin']],
  ] as const)('%s is %i', async (_, status, ask, scope) => {
    const token = await service.issuer.token({ scope: [...scope] });
    const answer = await service.request('POST', '/registerSystemClient', { ...ask, token, listener: 'internal' });
    expect(answer.status).toBe(status);
  });
});

describe('bodies', () => {
  const register = async (body: unknown, headers: Record<string, string> = {}) => {
    const token = await service.issuer.token();
    return service.request('POST', '/registerSystemClient', { listener: 'internal', token, body, headers });
  };
  const jsonType = { 'content-type': 'application/json' };

  it.each([
    ['Application/JSON ; charset="UTF-8"', 201],
    ['application/json;charset=latin1', 201],
    ['application/x-www-form-urlencoded', 415],
    ['text/plain', 415],
    ['(garbage', 415],
    ['', 415],
  ])('of type %j are answered %i', async (type, status) => {
    expect((await register('{"scope": "HEALTH"}', { 'content-type': type })).status).toBe(status);
  });

  it.each([
    ['application/x-www-form-urlencoded; charset=ISO-8859-1', 'token=a', 200],
    ['application/x-www-form-urlencoded', 'token=%C3%A9', 200],
    ['application/x-www-form-urlencoded', 'token=100%', 200],
    ['application/x-www-form-urlencoded', 'token=%E9', 400],
    ['application/x-www-form-urlencoded; charset=ISO-8859-1', Buffer.from('token=\xe9', 'latin1'), 400],
    ['application/json; charset=ISO-8859-1', Buffer.from('{"token": "\xe9"}', 'latin1'), 400],
  ])('of type %j, %j, are answered %i: a charset means nothing, and what is not UTF-8 is refused', async (...row) => {
    const [type, body, status] = row;
    const answer = await service.request('POST', '/verifyToken', { headers: { 'content-type': type }, body });
    const refused = { code: 'BAD_REQUEST', message: 'Input validation failed' };
    expect([answer.status, answer.json]).toEqual([
      status,
      status === 200 ? { valid: false } : { ...refused, issues: [{ message: 'body: is not valid UTF-8' }] },
    ]);
  });

  it('without a type are JSON', async () => {
    expect((await register('{"scope": "HEALTH"}')).status).toBe(201);
  });

  it('that are compressed are refused, with what is taken', async () => {
    const { status, headers } = await register('{}', { ...jsonType, 'content-encoding': 'gzip' });
    expect([status, headers['accept-encoding']]).toEqual([415, 'identity']);
  });

  it.each([
    ['nothing', '', 'body: is required'],
    ['blanks', ' \n', 'body: is required'],
    ['an array', '[]', 'body: must be an object'],
    ['two values', '{} {}', 'body: is not valid JSON'],
    ['a key twice', '{"scope": "HEALTH", "scope": "HEALTH"}', 'scope: is given twice'],
    ['an unknown key', '{"scope": "HEALTH", "a.b": 1}', '["a.b"]: is not a known key; allowed: scope, name, jwks'],
    ['__proto__', '{"scope": "HEALTH", "__proto__": {}}', '__proto__: is not a known key; allowed: scope, name, jwks'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'body: is not valid UTF-8'],
    ['depth', `${'['.repeat(500)}${']'.repeat(500)}`, 'body: must be nested at most 128 levels deep'],
  ])('of %s are refused with the fault', async (_, body, issue) => {
    const { status, json } = await register(body, jsonType);
    expect({ status, json }).toEqual({
      status: 400,
      json: { message: 'Input validation failed', code: 'BAD_REQUEST', issues: [{ message: issue }] },
    });
  });

  it.each(['\\u0000', '\\ud800', "'; drop table system_client; --", '%00', '<script>', '{{7*7}}', '\\u202e'])(
    'with the hostile text %s are stored or refused, never an error of ours',
    async (text) => {
      expect([201, 400]).toContain((await register(`{"scope": "HEALTH", "name": "${text}"}`, jsonType)).status);
      expect((await register(`{"scope": "${text}"}`, jsonType)).status).toBe(400);
    },
  );

  it.each([
    ['announced', {}],
    ['sent in chunks', { 'transfer-encoding': 'chunked' }],
  ])('past the limit are refused, %s', async (_, headers) => {
    const token = await service.issuer.token();
    const { status, json } = await service.request('POST', '/registerSystemClient', {
      listener: 'internal',
      token,
      body: `{"scope": "HEALTH"}${' '.repeat(3_000_000)}`,
      headers: { ...jsonType, ...headers },
    });
    expect({ status, json }).toEqual({
      status: 413,
      json: {
        message: 'Request body is too large',
        code: 'PAYLOAD_TOO_LARGE',
        issues: [{ message: 'body: must have at most 2048 bytes' }],
      },
    });
  });
});

describe('the body of a DELETE', () => {
  it.each([
    ['{"id": 1}', { 'content-type': 'application/json' }, 404],
    ['{', { 'content-type': 'application/json' }, 404],
    ['a', { 'content-type': 'text/plain', 'content-encoding': 'gzip' }, 404],
    ['a', { 'transfer-encoding': 'chunked' }, 404],
    ['a'.repeat(2_049), {}, 413],
    ['a'.repeat(2_049), { 'transfer-encoding': 'chunked' }, 413],
  ])('%.9j with %j means nothing, up to the limit: %i', async (body, headers, status) => {
    const token = await service.issuer.token();
    const path = '/integrations/0b7bcf1e-7a3d-4a51-9f4c-0c1c5a2b7e11';
    expect((await service.request('DELETE', path, { token, body, headers })).status).toBe(status);
  });
});

describe('a streamed body', () => {
  const ndjson = { 'content-type': 'application/jsonl' };
  const send = async (path: string, body: string, headers: Record<string, string> = ndjson) =>
    service.request('POST', path, { listener: 'internal', token: await service.issuer.token(), body, headers });

  it.each(['/events/bulk-import', '/events/events/bulk-import', '/api/events/events/bulk-import'])(
    'is read line by line at %s on the internal port, and nothing is there on the public one',
    async (path) => {
      const { status, json } = await send(path, '{}\n'.repeat(2));
      const outside = await service.request('POST', path, { token: await service.issuer.token(), headers: ndjson });
      expect([status, json, outside.status]).toEqual([
        200,
        expect.objectContaining({ imported: 0, updated: 0, rejected: 2 }),
        404,
      ]);
    },
  );

  it('may be larger than others, and has a limit of its own', async () => {
    const line = `{"id": "${'x'.repeat(100)}"}\n`;
    const chunked = { ...ndjson, 'transfer-encoding': 'chunked' };
    const answers = [
      await send('/events/bulk-import', line.repeat(50)),
      await send('/events/bulk-import', line.repeat(100)),
      await send('/events/bulk-import', line.repeat(100), chunked),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 413, 413]);
  });

  it('is needed: an import of nothing was meant to be one of something', async () => {
    const token = await service.issuer.token();
    const answer = await service.request('POST', '/events/bulk-import', {
      listener: 'internal',
      token,
      headers: ndjson,
    });
    expect([answer.status, answer.json]).toEqual([400, expect.objectContaining({ code: 'BAD_REQUEST' })]);
  });

  it('is refused whole where it is of another kind', async () => {
    const { status, json } = await send('/events/bulk-import', '[\n{"id": "1"},\n{"id": "2"}\n]\n');
    const issues = [{ message: expect.stringMatching(/^body: is a JSON array: /) as string }];
    expect([status, json]).toEqual([400, expect.objectContaining({ code: 'BAD_REQUEST', issues })]);
  });

  it('is of its own media type', async () => {
    expect((await send('/events/bulk-import', '{}', { 'content-type': 'application/json' })).status).toBe(415);
  });
});
