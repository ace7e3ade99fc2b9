import { generateKeyPairSync } from 'node:crypto';
import type { SecureContextOptions, TLSSocket } from 'node:tls';

import type { Behaviour } from '../../../test/support/scripted-subscriber.js';
import { testAuthority } from '../../../test/support/scripted-subscriber.js';
import type { TestCertificate } from '../../../test/support/scripted-subscriber-certificates.js';
import { aClient, aSubscriber, closeOpened, post } from '../../../test/support/subscriber-clients.js';

afterEach(closeOpened);

const keys = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const certificate = testAuthority.issue(['127.0.0.1'], undefined, undefined, keys);

const speaking = (options: SecureContextOptions): TestCertificate => ({ ...options, ...certificate });

describe('secureContextOf', () => {
  it.each([
    ['TLS 1.3', speaking({ minVersion: 'TLSv1.3' })],
    ['TLS 1.2', speaking({ maxVersion: 'TLSv1.2' })],
    ['TLS 1.2 without curves and without Diffie-Hellman', speaking({ ciphers: 'AES128-GCM-SHA256' })],
  ])('agrees with a server that speaks %s', async (_, tls) => {
    const subscriber = await aSubscriber({ tls });
    expect(await post(aClient(), subscriber.url())).toMatchObject({ kind: 'answered', status: 200 });
  });

  it.each([
    [
      'numbers of its own choice, in TLS 1.2',
      speaking({ ciphers: 'DHE-RSA-AES128-GCM-SHA256', maxVersion: 'TLSv1.2', dhparam: 'auto' }),
    ],
    ['numbers of 8,192 bits, in TLS 1.3', speaking({ minVersion: 'TLSv1.3', ecdhCurve: 'ffdhe8192' })],
  ])('does no arithmetic with %s', async (_, tls) => {
    const subscriber = await aSubscriber({ tls });
    expect(await post(aClient(), subscriber.url())).toMatchObject({ kind: 'unreachable', errorClass: 'tls' });
    expect(subscriber.received).toEqual([]);
  });

  it('makes one handshake for a connection, whatever the server asks for', async () => {
    const asksForAnother: Behaviour = (_request, answer) => {
      (answer.socket as TLSSocket).renegotiate({}, () => answer.end());
    };
    const subscriber = await aSubscriber({ tls: speaking({ maxVersion: 'TLSv1.2' }) });
    subscriber.behave(asksForAnother);
    expect(await post(aClient(), subscriber.url())).toMatchObject({ kind: 'unreachable' });
  });
});
