import { setTimeout as wait } from 'node:timers/promises';

import type { Behaviour, ScriptedSubscriber } from '../../../test/support/scripted-subscriber.js';
import {
  answers,
  hangs,
  resets,
  startScriptedSubscriber,
  testAuthority,
  trickles,
} from '../../../test/support/scripted-subscriber.js';
import { createTestAuthority } from '../../../test/support/scripted-subscriber-certificates.js';
import { withVariable } from '../../../test/support/with-variable.js';
import { AddressPolicy } from './address-policy.js';
import type { Exchange } from './exchange.js';
import type { ResolveHost } from './resolve-host.js';
import { SubscriberClient } from './subscriber-client.js';

const TIMEOUT_MS = 600;
const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function aSubscriber(options?: Parameters<typeof startScriptedSubscriber>[0]): Promise<ScriptedSubscriber> {
  const subscriber = await startScriptedSubscriber(options);
  opened.push(() => subscriber.close());
  return subscriber;
}

interface ClientOptions {
  readonly allow?: readonly string[];
  readonly resolve?: ResolveHost;
  readonly authority?: string | undefined;
}

const noNames: ResolveHost = (name) => Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND' }));

function aClient({ allow = ['127.0.0.0/8'], resolve = noNames, ...more }: ClientOptions = {}): SubscriberClient {
  const client = new SubscriberClient({
    policy: new AddressPolicy(allow),
    resolve,
    timeoutMs: TIMEOUT_MS,
    certificateAuthorities: 'authority' in more ? more.authority : testAuthority.certificate,
  });
  opened.push(() => client.close());
  return client;
}

const post = (client: SubscriberClient, url: string): Promise<Exchange> =>
  client.exchange({
    method: 'POST',
    url: new URL(url),
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{}'),
  });

/** An exchange without its duration, which a test cannot know. */
const without = (exchange: Exchange): unknown => ({ ...exchange, durationMs: undefined, headers: undefined });

describe('SubscriberClient', () => {
  it('yields the answer: status, headers and body', async () => {
    const subscriber = await aSubscriber();
    subscriber.behave(answers(202, { 'retry-after': '7' }, 'thanks'));
    const exchange = await post(aClient(), subscriber.url('/hook?a=b%20c'));
    expect(exchange).toMatchObject({ kind: 'answered', status: 202, whole: true, body: Buffer.from('thanks') });
    expect(exchange.kind === 'answered' && exchange.headers['retry-after']).toBe('7');
    expect(subscriber.received).toMatchObject([{ method: 'POST', target: '/hook?a=b%20c', body: Buffer.from('{}') }]);
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

  it('sends nothing to a name that turns to a forbidden address, even once it was allowed', async () => {
    const subscriber = await aSubscriber();
    const lookups = [['127.0.0.1'], ['127.0.0.1', '10.0.0.1'], ['169.254.169.254']];
    const client = aClient({ resolve: () => Promise.resolve(lookups.shift() ?? []) });
    const url = subscriber.url('/', 'subscriber.example');
    expect([await post(client, url), await post(client, url), await post(client, url)].map(without)).toMatchObject([
      { kind: 'answered' },
      { kind: 'refused', reason: 'leads to an address that is private' },
      { kind: 'refused', reason: 'leads to an address that is link-local' },
    ]);
    expect(subscriber.received).toHaveLength(1);
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

  const tricklesHeaders: Behaviour = (_request, { socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => socket?.write('x-more: y\r\n'), 50);
    socket?.once('close', () => {
      clearInterval(timer);
    });
  };

  it.each([
    ['never answers', hangs],
    ['trickles its headers', tricklesHeaders],
  ])('gives up at the deadline on a subscriber that %s', async (_, behaviour) => {
    const subscriber = await aSubscriber();
    subscriber.behave(behaviour);
    const exchange = await post(aClient(), subscriber.url());
    expect(exchange).toMatchObject({ kind: 'unreachable', errorClass: 'timeout' });
    expect(exchange.durationMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 10);
    expect(exchange.durationMs).toBeLessThan(TIMEOUT_MS + 400);
  });

  it('gives up at the deadline on a name server that never answers', async () => {
    const exchange = await post(aClient({ resolve: () => new Promise(() => undefined) }), 'https://hanging.example/');
    expect(exchange).toMatchObject({ kind: 'unreachable', errorClass: 'timeout' });
    expect(exchange.durationMs).toBeLessThan(TIMEOUT_MS + 400);
  });

  it('takes the status of an answer whose body trickles on, and stops reading at the deadline', async () => {
    const subscriber = await aSubscriber();
    subscriber.behave(trickles(20));
    const exchange = await post(aClient(), subscriber.url());
    expect(exchange).toMatchObject({ kind: 'answered', status: 200, whole: false });
    expect(exchange.durationMs).toBeLessThan(TIMEOUT_MS + 400);
  });

  it('reads at most 64 KiB of an answer', async () => {
    const subscriber = await aSubscriber();
    const client = aClient();
    subscriber.behave(answers(200, {}, 'a'.repeat(65_536)));
    expect(await post(client, subscriber.url())).toMatchObject({ status: 200, whole: true });
    subscriber.behave((_, answer) => {
      answer.writeHead(200);
      const timer = setInterval(() => answer.write('a'.repeat(60_000)), 1);
      answer.once('close', () => {
        clearInterval(timer);
      });
    });
    const exchange = await post(client, subscriber.url());
    expect(exchange).toMatchObject({ kind: 'answered', status: 200, whole: false });
    expect(exchange.kind === 'answered' && exchange.body.length).toBe(65_536);
    expect(exchange.durationMs).toBeLessThan(TIMEOUT_MS);
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

  const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
  const HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n';
  const OK = 'HTTP/1.1 202 Accepted\r\ncontent-length: 6\r\n\r\nthanks';

  /** Writes the pieces one after the other, so that each arrives separately. */
  const writes =
    (...pieces: readonly string[]): Behaviour =>
    async (_request, { socket }) => {
      for (const piece of pieces) {
        socket?.write(piece);
        await wait(5);
      }
    };

  it.each([
    ['one', [CONTINUE, OK]],
    ['several, with the answer in one piece', [CONTINUE + HINTS + CONTINUE + OK]],
    ['several in small pieces', (CONTINUE + HINTS + OK).match(/[^]{1,7}/g) ?? []],
  ])('passes over interim answers: %s', async (_, pieces) => {
    const subscriber = await aSubscriber();
    subscriber.behave(writes(...pieces));
    expect(await post(aClient(), subscriber.url())).toMatchObject({
      kind: 'answered',
      status: 202,
      whole: true,
      body: Buffer.from('thanks'),
    });
  });

  it('passes over interim answers of each request on a connection that is kept', async () => {
    const subscriber = await aSubscriber();
    const client = aClient();
    // Together more than the limit for one answer.
    const body = 'a'.repeat(60_000);
    subscriber.behave((_, answer) => {
      answer.writeContinue();
      answer.writeEarlyHints({ link: '</a>; rel=preload' });
      answer.end(body);
    });
    for (let at = 0; at < 3; at += 1) {
      expect(await post(client, subscriber.url())).toMatchObject({ status: 200, whole: true });
      await wait(5);
    }
    expect(subscriber.connections).toBe(1);
  });

  /** Writes the first, and then the second without end. */
  const writesForEver =
    (first: string, again: string): Behaviour =>
    (_request, { socket }) => {
      socket?.write(first);
      const more = (error?: Error | null): void => {
        if (!error) socket?.write(again.repeat(1_000), more);
      };
      more();
    };

  it.each([
    ['a status line', 'HTTP/1.1 200 ', 'O'],
    ['an interim answer', 'HTTP/1.1 103 Early Hints\r\nlink: ', 'a'],
    ['interim answers', '', HINTS],
  ])('reads no more than an answer may have of %s without end', async (_, first, again) => {
    const subscriber = await aSubscriber();
    subscriber.behave(writesForEver(first, again));
    expect(await post(aClient(), subscriber.url())).toMatchObject({
      kind: 'unreachable',
      errorClass: 'protocol',
      code: 'ANSWER_TOO_LONG',
    });
  });

  it.each([
    ['a chunk extension', '1;', 'a'],
    ['trailers', '0\r\n', 'a: b\r\n'],
    ['a trailer', '0\r\na: ', 'b'],
  ])('takes the status of an answer with %s without end, and reads no further', async (_, first, again) => {
    const subscriber = await aSubscriber();
    subscriber.behave(writesForEver(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${first}`, again));
    const exchange = await post(aClient(), subscriber.url());
    expect(exchange).toMatchObject({ kind: 'answered', status: 200, whole: false });
    expect(exchange.durationMs).toBeLessThan(TIMEOUT_MS);
  });

  it('refuses headers that do not end', async () => {
    const subscriber = await aSubscriber();
    subscriber.behave((_request, { socket }) => {
      socket?.write(`HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(100_000)}\r\n\r\n`);
    });
    expect(await post(aClient(), subscriber.url())).toMatchObject({
      kind: 'unreachable',
      errorClass: 'protocol',
      code: 'UND_ERR_HEADERS_OVERFLOW',
    });
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

  it('speaks plain http where the caller lets such a URL through', async () => {
    const subscriber = await aSubscriber({ tls: false });
    expect(await post(aClient(), subscriber.url())).toMatchObject({ status: 200 });
  });
});
