import { setTimeout as wait } from 'node:timers/promises';

import { Logger } from '@nestjs/common';

import { answers, resets, testAuthority } from '../../../test/support/scripted-subscriber.js';
import { createTestAuthority } from '../../../test/support/scripted-subscriber-certificates.js';
import { aClient, aSubscriber, closeOpened, post, without } from '../../../test/support/subscriber-clients.js';
import { withVariable } from '../../../test/support/with-variable.js';

afterEach(closeOpened);

describe('OutboundClient', () => {
  it('yields the answer: status, headers and body', async () => {
    const subscriber = await aSubscriber();
    subscriber.behave(answers(202, { 'retry-after': '7' }, 'thanks'));
    const exchange = await post(aClient(), subscriber.url('/hook?a=b%20c'));
    expect(exchange).toMatchObject({ kind: 'answered', status: 202, whole: true, body: Buffer.from('thanks') });
    expect(exchange.kind === 'answered' && exchange.headers['retry-after']).toBe('7');
    expect(subscriber.received).toMatchObject([{ method: 'POST', target: '/hook?a=b%20c', body: Buffer.from('{}') }]);
  });

  it('says in every request what it takes, uncompressed, and who asks', async () => {
    const subscriber = await aSubscriber();
    await post(aClient(), subscriber.url());
    expect(subscriber.received[0]?.headers).toMatchObject({
      accept: 'application/json, */*;q=0.1',
      'accept-encoding': 'identity',
      'user-agent': expect.stringMatching(/^Matricula\/\d/) as string,
      'content-type': 'application/json',
    });
  });

  it('connects to the address that was checked, with the certificate checked against the name', async () => {
    const subscriber = await aSubscriber();
    const client = aClient({ resolve: () => Promise.resolve(['127.0.0.1']) });
    expect(await post(client, subscriber.url('/', 'subscriber.example'))).toMatchObject({ status: 200 });
    expect(subscriber.received[0]?.headers.host).toBe(`subscriber.example:${subscriber.port}`);
    expect(without(await post(client, subscriber.url('/', 'other.example')))).toEqual({
      kind: 'unreachable',
      errorClass: 'tls',
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
  });

  it('tries the next checked address when one does not answer', async () => {
    const subscriber = await aSubscriber();
    const client = aClient({ resolve: () => Promise.resolve(['127.0.0.2', '127.0.0.1']) });
    expect(await post(client, subscriber.url('/', 'subscriber.example'))).toMatchObject({ status: 200 });
  });

  it('does not leave an address that takes a moment for one that cannot be reached', async () => {
    const subscriber = await aSubscriber();
    const client = aClient({ resolve: () => Promise.resolve(['127.0.0.1', '127.0.0.2']) });
    const exchange = post(client, subscriber.url('/hook', 'subscriber.example'));
    // The connection is begun, and nobody hears of it for a while.
    for (let step = 0; step < 100; step += 1) await Promise.resolve();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
    expect(await exchange).toMatchObject({ kind: 'answered', status: 200 });
  });

  it('sends nothing to a name that turns to a forbidden address, even once it was allowed', async () => {
    const subscriber = await aSubscriber();
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const lookups = [['127.0.0.1'], ['127.0.0.1', '10.0.0.1'], ['169.254.169.254']];
    const client = aClient({ resolve: () => Promise.resolve(lookups.shift() ?? []) });
    const url = subscriber.url('/', 'subscriber.example');
    expect([await post(client, url), await post(client, url), await post(client, url)].map(without)).toMatchObject([
      { kind: 'answered' },
      { kind: 'refused' },
      { kind: 'refused' },
    ]);
    expect(subscriber.received).toHaveLength(1);
    // Which inside address it is, only the log says.
    expect(warn.mock.calls.map(([line]) => String(line))).toEqual([
      'nothing is sent to "subscriber.example": it leads to an address that is private',
      'nothing is sent to "subscriber.example": it leads to an address that is link-local',
    ]);
    warn.mockRestore();
  });

  it.each([
    ['a literal address', 'https://127.0.0.1/'],
    ['its decimal spelling', 'https://2130706433/'],
    ['IPv4 inside IPv6', 'https://[::ffff:127.0.0.1]/'],
    ['localhost', 'https://localhost/'],
    ['a name below localhost', 'https://a.localhost/'],
    ['a metadata name', 'https://metadata.google.internal/'],
  ])('refuses %s where nothing is opened', async (_, url) => {
    expect(await post(aClient({ allow: [] }), url)).toMatchObject({ kind: 'refused' });
  });

  it('reaches localhost through the loopback address that is opened', async () => {
    const subscriber = await aSubscriber();
    expect(await post(aClient(), subscriber.url('/', 'localhost'))).toMatchObject({ status: 200 });
  });

  it('does not follow redirects', async () => {
    const subscriber = await aSubscriber();
    subscriber.behave(answers(302, { location: subscriber.url('/elsewhere') }));
    expect(await post(aClient(), subscriber.url())).toMatchObject({ kind: 'answered', status: 302 });
    expect(subscriber.received).toHaveLength(1);
  });

  it('reads no proxy variable', async () => {
    const subscriber = await aSubscriber();
    const proxy = await aSubscriber({ tls: false });
    const exchange = await withVariable('HTTPS_PROXY', proxy.url(''), () => post(aClient(), subscriber.url()));
    expect(exchange).toMatchObject({ status: 200 });
    expect(proxy.connections).toBe(0);
  });

  it.each([
    [
      'an unknown authority',
      () => createTestAuthority('Another').issue(['127.0.0.1']),
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    ],
    ['another name', () => testAuthority.issue(['other.example']), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    [
      'a past validity',
      () => testAuthority.issue(['127.0.0.1'], { from: new Date(0), until: new Date(86_400_000) }),
      'CERT_HAS_EXPIRED',
    ],
    [
      'the address as its common name and no alternative name',
      () => testAuthority.issue([], undefined, '127.0.0.1'),
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ],
  ])('refuses a certificate with %s', async (_, tls, code) => {
    const subscriber = await aSubscriber({ tls: tls() });
    const exchange = await withVariable('NODE_TLS_REJECT_UNAUTHORIZED', '0', () => post(aClient(), subscriber.url()));
    expect(without(exchange)).toMatchObject({
      kind: 'unreachable',
      errorClass: 'tls',
      code: expect.stringMatching(new RegExp(`${code}|UNABLE_TO_VERIFY_LEAF_SIGNATURE`)) as string,
    });
    expect(subscriber.received).toEqual([]);
  });

  it('trusts only the public authorities unless another is added', async () => {
    const subscriber = await aSubscriber();
    expect(await post(aClient({ authority: undefined }), subscriber.url())).toMatchObject({ errorClass: 'tls' });
  });

  it('tells a name without addresses, a closed port, a reset and a foreign protocol apart', async () => {
    const subscriber = await aSubscriber();
    const plain = await aSubscriber({ tls: false });
    subscriber.behave(resets);
    const client = aClient();
    expect(
      [
        await post(client, 'https://nowhere.example/'),
        await post(client, 'https://127.0.0.1:1/'),
        await post(client, subscriber.url()),
        await post(client, plain.url().replace('http:', 'https:')),
      ].map(without),
    ).toMatchObject([
      { kind: 'unreachable', errorClass: 'dns', code: 'ENOTFOUND' },
      { kind: 'unreachable', errorClass: 'connect', code: 'ECONNREFUSED' },
      { kind: 'unreachable', errorClass: 'reset' },
      { kind: 'unreachable', errorClass: 'tls' },
    ]);
  });

  it('refuses the name of the host as a common name alone', async () => {
    const subscriber = await aSubscriber({ tls: testAuthority.issue([], undefined, 'subscriber.example') });
    const client = aClient({ resolve: () => Promise.resolve(['127.0.0.1']) });
    expect(await post(client, subscriber.url('/', 'subscriber.example'))).toMatchObject({
      errorClass: 'tls',
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    expect(subscriber.received).toEqual([]);
  });

  it('keeps connections for later requests, but none that the server has let go', async () => {
    const subscriber = await aSubscriber();
    const client = aClient();
    const postInTurn = async (count: number): Promise<number> => {
      for (let at = 0; at < count; at += 1) {
        expect(await post(client, subscriber.url())).toMatchObject({ status: 200 });
        await wait(5);
      }
      return subscriber.connections;
    };
    expect(await postInTurn(5)).toBe(1);
    subscriber.behave(answers(200, { connection: 'close' }));
    expect(await postInTurn(3)).toBe(3);
  });

  it('keeps them when the name server tells the same addresses in another order, not for others', async () => {
    const subscriber = await aSubscriber();
    const orders = [['127.0.0.1', '127.0.0.2'], ['127.0.0.2', '127.0.0.1'], ['127.0.0.1']];
    const client = aClient({ resolve: () => Promise.resolve(orders.shift() ?? []) });
    const connections: number[] = [];
    while (orders.length > 0) {
      expect(await post(client, subscriber.url('/', 'subscriber.example'))).toMatchObject({ status: 200 });
      connections.push(subscriber.connections);
      await wait(5);
    }
    expect(connections).toEqual([1, 1, 2]);
  });

  it('speaks plain http where that is open', async () => {
    const subscriber = await aSubscriber({ tls: false });
    expect(await post(aClient({ allowHttp: true }), subscriber.url())).toMatchObject({ status: 200 });
  });

  it('sends nothing in plain http where it is not, whoever let the URL through when it was', async () => {
    const subscriber = await aSubscriber({ tls: false });
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    expect(without(await post(aClient(), subscriber.url()))).toEqual({
      kind: 'refused',
      reason: 'must be an https URL',
    });
    expect([subscriber.connections, warn.mock.calls]).toEqual([
      0,
      [['nothing is sent to "127.0.0.1": it must be an https URL']],
    ]);
    warn.mockRestore();
  });
});
