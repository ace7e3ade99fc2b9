import type { RunningApplication } from '../support/application.js';
import { startApplication } from '../support/application.js';
import { RawConnection } from '../support/raw-connection.js';

let service: RunningApplication;
beforeAll(async () => {
  service = await startApplication({ env: { CORS_ORIGINS: 'https://registry.example' } });
});
afterAll(() => service.stop());

describe('CORS', () => {
  it('answers a preflight, and says which headers a page may read', async () => {
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
    expect(answer).toMatch(/access-control-allow-methods: GET, HEAD, POST, PUT, PATCH, DELETE\r\n/);
    expect(answer).toMatch(/access-control-allow-headers: authorization\r\n/);
    expect(answer).toMatch(/access-control-expose-headers: [^\r]*x-correlation-id/);
    expect(answer).toMatch(/\r\nx-correlation-id: \S+\r\n/);
    expect(answer).toMatch(/\r\nx-content-type-options: nosniff\r\n/);
  });

  it('makes no method of OPTIONS where it is no preflight', async () => {
    const paths = ['/events/search', '/events/5', '/nowhere'];
    const answers = await Promise.all(paths.map((path) => fetch(`${service.publicUrl}${path}`, { method: 'OPTIONS' })));
    expect(answers.map(({ status, headers }) => `${status} ${String(headers.get('allow'))}`)).toEqual([
      '405 POST',
      '405 DELETE, GET',
      '404 null',
    ]);
    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual([
      { message: 'Method not allowed', code: 'METHOD_NOT_ALLOWED' },
      { message: 'Method not allowed', code: 'METHOD_NOT_ALLOWED' },
      { message: 'Not found', code: 'NOT_FOUND' },
    ]);
  });

  it('answers an OPTIONS request that is not sound with the error object', async () => {
    const connection = await RawConnection.to(service.publicUrl);
    const preflight = ['Origin: https://registry.example', 'Access-Control-Request-Method: POST'];
    connection.send('OPTIONS /events/search HTTP/1.1', 'Host: a', 'Host: b', ...preflight, '', '');
    const [head = '', body = ''] = (await connection.closed()).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 400 /);
    expect(JSON.parse(body)).toEqual({
      message: 'Input validation failed',
      code: 'BAD_REQUEST',
      issues: [{ message: 'host: is given more than once' }],
    });
  });

  it('lets a page read what is wrong with the head of its request', async () => {
    const connection = await RawConnection.to(service.publicUrl);
    connection.send('GET /ping HTTP/1.1', 'Host: a b', 'Origin: https://registry.example', '', '');
    const [head = '', body] = (await connection.closed()).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 400 /);
    expect(head).toMatch(/access-control-allow-origin: https:\/\/registry.example(\r\n|$)/);
    expect(head).toMatch(/access-control-expose-headers: [^\r]*x-correlation-id/);
    expect(body).toMatch(/host: must be a host/);
  });

  it('lets the named origins in, and no others', async () => {
    const answers = await Promise.all(
      ['https://registry.example', 'https://other.example'].map((origin) =>
        service.request('GET', '/ping', { headers: { origin } }),
      ),
    );
    expect(answers.map(({ headers }) => headers['access-control-allow-origin'])).toEqual([
      'https://registry.example',
      undefined,
    ]);
    expect(answers.map(({ headers }) => headers.vary)).toEqual(['Origin', 'Origin']);
  });
});
