import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '../../../test/support/eventually.js';
import { answers, type Behaviour, hangs, testAuthority, trickles } from '../../../test/support/scripted-subscriber.js';
import { aClient, aSubscriber, closeOpened, post } from '../../../test/support/subscriber-clients.js';
import { HANG_MS } from '../../../test/support/time-outs.js';
import { KIB } from '../../kernel/domain/bytes.js';

afterEach(closeOpened);

const TIMEOUT_MS = 600;
/** Hosts whose connections a client keeps. */
const MOST_HOSTS = 500;

describe('OutboundClient', () => {
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
    const exchange = await post(aClient({ timeoutMs: TIMEOUT_MS }), subscriber.url());
    expect(exchange).toMatchObject({ kind: 'unreachable', errorClass: 'timeout' });
    expect(exchange.durationMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 10);
    expect(exchange.durationMs).toBeLessThan(HANG_MS);
  });

  it('gives up at the deadline on a name server that never answers', async () => {
    const client = aClient({ timeoutMs: TIMEOUT_MS, resolve: () => new Promise(() => undefined) });
    const exchange = await post(client, 'https://hanging.example/');
    expect(exchange).toMatchObject({ kind: 'unreachable', errorClass: 'timeout' });
    expect(exchange.durationMs).toBeLessThan(HANG_MS);
  });

  it('ends what is in progress when it is closed, even after very many others were asked', async () => {
    const subscriber = await aSubscriber({ tls: testAuthority.issue(['*.subscriber.example']) });
    subscriber.behave(({ headers }, answer) => {
      if (!headers.host?.startsWith('hangs.')) answer.end();
    });
    const client = aClient({ resolve: () => Promise.resolve(['127.0.0.1']) });
    const hanging = post(client, subscriber.url('/', 'hangs.subscriber.example'));
    await eventually('asked', () => subscriber.received.length === 1);
    for (let at = 0; at <= MOST_HOSTS; at += 1)
      await post(client, subscriber.url('/', `host-${at}.subscriber.example`));
    await client.close();
    const exchange = await hanging;
    expect(exchange).toMatchObject({ kind: 'unreachable' });
    expect(exchange.durationMs).toBeLessThan(HANG_MS);
  });

  it('sends nothing once it is closed, to a name that was being looked up either', async () => {
    const subscriber = await aSubscriber({ tls: testAuthority.issue(['subscriber.example']) });
    let found: (addresses: readonly string[]) => void = () => undefined;
    const client = aClient({ resolve: () => new Promise((resolve) => (found = resolve)) });
    const exchange = post(client, subscriber.url('/', 'subscriber.example'));
    await client.close();
    found(['127.0.0.1']);
    expect([await exchange, subscriber.connections]).toMatchObject([{ kind: 'withdrawn' }, 0]);
  });

  it('takes the status of an answer whose body trickles on, and stops reading at the deadline', async () => {
    const subscriber = await aSubscriber();
    subscriber.behave(trickles(20));
    // The headers must have come by then.
    const exchange = await post(aClient({ timeoutMs: 5 * TIMEOUT_MS }), subscriber.url());
    expect(exchange).toMatchObject({ kind: 'answered', status: 200, whole: false });
    expect(exchange.durationMs).toBeLessThan(HANG_MS);
  });

  it('reads at most 64 KiB of an answer', async () => {
    const subscriber = await aSubscriber();
    const client = aClient();
    subscriber.behave(answers(200, {}, 'a'.repeat(64 * KIB)));
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
    expect(exchange.kind === 'answered' && exchange.body.length).toBe(64 * KIB);
    expect(exchange.durationMs).toBeLessThan(HANG_MS);
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
    expect(exchange.durationMs).toBeLessThan(HANG_MS);
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
});
