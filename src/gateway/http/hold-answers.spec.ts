import { EventEmitter, once } from 'node:events';
import { Readable } from 'node:stream';

import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';

import { eventually } from '../../../test/support/eventually.js';
import { RawConnection } from '../../../test/support/raw-connection.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { Capacities } from '../../platform/queue/capacities.js';
import { Refusals } from '../../platform/queue/refusals.js';
import { MIB } from '../../kernel/domain/bytes.js';
import { AnswersInFlight } from '../../events/search/answers-in-flight.js';
import { watchLongAnswers } from './request-hooks.js';

/** What the hook holds, by client. */
class Watched extends AnswersInFlight {
  readonly seen: (readonly [string, number])[] = [];

  override hold(...[client, bytes, sent]: Parameters<AnswersInFlight['hold']>): void {
    super.hold(client, bytes, sent);
    this.seen.push([client, bytes]);
  }
}

let inFlight: Watched;
let app: FastifyInstance;
beforeEach(() => {
  inFlight = new Watched(new Refusals(), new Capacities({ DATABASE_POOL_SIZE: 4 }));
  app = fastify();
  app.addHook('onRequest', (request, _, done) => {
    const { caller } = request.headers;
    if (caller !== undefined) Object.assign(request, { caller: { subject: caller } });
    done();
  });
  app.setErrorHandler((error, _, reply) => reply.status(503).send((error as Error).message));
  const standing = { current: () => Promise.resolve(), callerNow: (_: unknown, caller: Caller) => caller };
  watchLongAnswers(app, { inFlight, withdrawals: { standing, refusals: new Refusals() } });
  app.get('/text', () => 'x'.repeat(70_000));
  app.get('/buffer', () => Buffer.alloc(70_001));
  app.get('/json', () => ({ entries: 'x'.repeat(70_002) }));
  app.get('/short', () => 'x'.repeat(60_000));
  app.get('/stream', () => Readable.from(['x'.repeat(80_000)]));
  app.get('/held', (_, reply) => {
    inFlight.hold('by its route', 70_003, reply.raw);
    return 'x'.repeat(70_003);
  });
});
afterEach(() => app.close());

const statusOf = async (url: string, caller?: string): Promise<number> =>
  (await app.inject({ url, headers: caller === undefined ? {} : { caller } })).statusCode;

describe('long answers', () => {
  it('are held once for their caller, whatever their route; others and those without a caller are not', async () => {
    for (const url of ['/text', '/buffer', '/json', '/short', '/stream', '/held']) {
      expect(await statusOf(url, 'one')).toBe(200);
    }
    expect(await statusOf('/text')).toBe(200);
    expect(inFlight.seen).toEqual([
      ['one', 70_000],
      ['one', 70_001],
      ['one', 70_016],
      ['by its route', 70_003],
    ]);
  });

  it('are not held where the client has hung up before they were ready', async () => {
    const handled = new EventEmitter();
    const begun = once(handled, 'begun');
    app.get('/late', async (_, reply) => {
      const closed = once(reply.raw, 'close');
      handled.emit('begun');
      await closed;
      return 'x'.repeat(70_000);
    });
    const client = await RawConnection.to(await app.listen({ port: 0, host: '127.0.0.1' }));
    client.send('GET /late HTTP/1.1', 'Host: a', 'caller: one', '', '');
    await begun;
    client.socket.destroy();
    await eventually('the answer is ready', () => inFlight.seen.length > 0);
    const never = { destroyed: false, once: () => undefined, destroy: () => undefined };
    inFlight.hold('one', 128 * MIB, never);
    expect(await statusOf('/text', 'one')).toBe(503);
  });

  it('are refused where those that nobody has taken leave no room', async () => {
    const never = { destroyed: false, once: () => undefined, destroy: () => undefined };
    inFlight.hold('one', 128 * MIB, never);
    expect(await statusOf('/text', 'one')).toBe(503);
    expect(await statusOf('/short', 'one')).toBe(200);
    expect(await statusOf('/text', 'other')).toBe(200);
  });
});
