import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';
import { fastify } from 'fastify';
import { UnsecuredJWT } from 'jose';

import { eventually } from '../../../test/support/eventually.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { Capacities } from '../../platform/queue/capacities.js';
import { Refusals } from '../../platform/queue/refusals.js';
import { AnswersInFlight } from '../../events/search/answers-in-flight.js';
import { watchLongAnswers } from '../http/request-hooks.js';

const CALLER: Caller = { subject: 'a', userType: 'system', scopes: [], grants: [] };
/** It has expired long ago. */
const TOKEN = new UnsecuredJWT({ sub: 'a', userType: 'system', scope: [], iat: 1_000, exp: 2_000 }).encode();

let server: FastifyInstance;
let body: PassThrough;
let looks: number;
let isHeard: boolean;
/** While it is there, the database does not answer. */
let silence: Promise<void> | undefined;
let callerNow: Caller | undefined;
let refused: string[][];
beforeEach(async () => {
  body = new PassThrough();
  [looks, isHeard, silence, callerNow, refused] = [0, true, undefined, CALLER, []];
  server = fastify();
  server.addHook('onRequest', (request, _, done) => {
    Object.assign(request, { caller: CALLER });
    done();
  });
  const withdrawals = {
    standing: {
      current: () => {
        looks += 1;
        if (silence !== undefined) return silence;
        return isHeard ? Promise.resolve() : Promise.reject(new Error('no database'));
      },
      callerNow: () => callerNow,
    },
    refusals: { note: (refusal: string, client: string) => refused.push([refusal, client]) },
  };
  watchLongAnswers(server, {
    withdrawals,
    inFlight: new AnswersInFlight(new Refusals(), new Capacities({ DATABASE_POOL_SIZE: 4 })),
  });
  server.get('/streamed', (_, reply) => reply.send(body));
  await server.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(async () => {
  // An answer that a failed test has left open would never end.
  body.destroy();
  server.server.closeAllConnections();
  await server.close();
});

/** An answer that has begun. */
async function begun(): Promise<IncomingMessage> {
  body.write('one ');
  const { port } = server.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${TOKEN}` };
  const [response] = (await once(
    get({ port, host: '127.0.0.1', path: '/streamed', headers, agent: false }),
    'response',
  )) as [IncomingMessage];
  return response;
}

const looked = (times: number) => eventually(`it looks ${times} times`, () => looks >= times);

describe('a streamed answer', () => {
  it('goes on to its end when its token expires meanwhile', async () => {
    const response = await begun();
    await looked(2);
    body.end('two');
    expect([await text(response), refused]).toEqual(['one two', []]);
  });

  it('is cut off, and told once with its client, when its caller would be refused', async () => {
    const response = await begun();
    await looked(1);
    callerNow = undefined;
    await expect(text(response)).rejects.toMatchObject({ code: 'ECONNRESET' });
    await eventually('nothing is read for it', () => body.destroyed);
    expect(refused).toEqual([['withdrawn', 'a']]);
  });

  it('goes on while nobody can be asked, and is cut off after that', async () => {
    isHeard = false;
    callerNow = undefined;
    const response = await begun();
    await looked(2);
    expect([body.destroyed, refused]).toEqual([false, []]);
    isHeard = true;
    await expect(text(response)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(refused).toEqual([['withdrawn', 'a']]);
  });

  it('is looked at again only when the database has answered', async () => {
    let fail: (error: Error) => void = () => undefined;
    silence = new Promise((_, reject) => {
      fail = reject;
    });
    callerNow = undefined;
    const response = await begun();
    await looked(1);
    await sleep(2_500);
    expect([looks, body.destroyed]).toEqual([1, false]);
    silence = undefined;
    fail(new Error('no answer in time'));
    await expect(text(response)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(refused).toEqual([['withdrawn', 'a']]);
  });
});
