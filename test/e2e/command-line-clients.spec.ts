import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { decodeProtectedHeader } from 'jose';

import type { RunningApplication } from '../support/application.js';
import { startApplication } from '../support/application.js';
import { signingPair } from '../support/client-assertion.js';
import { aSecretsKey, filesIn, matricula, succeed } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';

const SECRETS_KEY = aSecretsKey();
let service: RunningApplication;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  service = await startApplication({ env: { SECRETS_KEY } });
  env = { SECRETS_KEY, DATABASE_URL: service.database.url };
});
afterAll(() => service.stop());

describe('clients', () => {
  it('are registered, listed, deactivated and reactivated, as a running service heeds', async () => {
    const asJson = async (...arguments_: string[]): Promise<unknown> =>
      JSON.parse(await succeed(['clients', ...arguments_, '--json'], env));
    const registered = await asJson(
      'register',
      '--as',
      'HEALTH',
      '--name',
      'Clinic 7',
      '--webhook-format',
      'opencrvs-1x',
    );
    const { client_id, client_secret } = registered as { client_id: string; client_secret: string };
    expect(registered).toEqual({
      client_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      client_secret: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      sha_secret: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
    const granted = async (): Promise<number> => {
      const body = { client_id, client_secret, grant_type: 'client_credentials' };
      return (await service.request('POST', '/auth/token', { body })).status;
    };
    expect(await granted()).toBe(200);
    const rotated = (await asJson('rotate-sha-secret', client_id)) as { sha_secret: string };
    expect(rotated).toEqual({ client_id, sha_secret: expect.stringMatching(/^[0-9a-f-]{36}$/) as string });
    expect(rotated.sha_secret).not.toBe((registered as { sha_secret: string }).sha_secret);
    expect(await asJson('deactivate', client_id)).toEqual({ client_id, status: 'deactivated' });
    // Within two seconds in other processes (G-3), and longer on a busy machine.
    await eventually('it is refused a token', async () => (await granted()) === 401);
    const listed = await succeed(['clients', 'list'], env);
    expect(listed).toContain(`${client_id}  deactivated  health  Clinic 7\n`);
    expect(listed).not.toContain(client_secret);
    expect(await asJson('reactivate', client_id)).toEqual({ client_id, status: 'active' });
    await eventually('it has a token again', async () => (await granted()) === 200);
  });
});

describe('public keys', () => {
  it('are registered with a client, changed and removed, from files', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'matricula-keys-'));
    const file = filesIn(() => directory);
    const { jwk, privateKey } = await signingPair();
    const run = (...arguments_: string[]) => matricula(['clients', ...arguments_, '--json'], env);
    const set = await file('jwks.json', JSON.stringify({ keys: [jwk] }));
    const registered = await run('register', '--as', 'HEALTH', '--jwks', set);
    const { client_id, kid } = JSON.parse(registered.stdout) as { client_id: string; kid: string };
    const none = await run('set-keys', client_id, '--none');
    expect([kid, JSON.parse(none.stdout)]).toEqual(['a', { client_id, jwks: { keys: [] } }]);
    const secret = await file('private.json', JSON.stringify({ keys: [privateKey.export({ format: 'jwk' })] }));
    const refused = await run('set-keys', client_id, '--jwks', secret);
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([
      1,
      '',
      expect.stringContaining('keys[0]: has the private part of a key') as string,
    ]);
    await rm(directory, { recursive: true });
  });
});

describe('keys', () => {
  it('rotate under a running service: old tokens go on working, new ones have the new key, verifiers see both', async () => {
    const { clientId, clientSecret, token: before } = await service.registerClient('HEALTH');
    const { kid } = JSON.parse(await succeed(['keys', 'rotate', '--json'], env)) as { kid: string };
    const newToken = async (): Promise<string> => {
      const body = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' };
      return ((await service.request('POST', '/auth/token', { body })).json as { access_token: string }).access_token;
    };
    let after = await newToken();
    await eventually('the new key signs', async () => {
      after = await newToken();
      return decodeProtectedHeader(after).kid === kid;
    });
    const old = decodeProtectedHeader(before).kid;
    expect([decodeProtectedHeader(after).kid, old === kid]).toEqual([kid, false]);
    const searches = [before, after].map((token) =>
      service.request('POST', '/events/search', { token, body: { query: { clauses: [{ eventType: 'birth' }] } } }),
    );
    expect((await Promise.all(searches)).map(({ status }) => status)).toEqual([200, 200]);
    const { json } = await service.request('GET', '/.well-known/jwks.json');
    expect((json as { keys: { kid: string }[] }).keys.map((key) => key.kid)).toEqual([kid, old]);
  });
});
