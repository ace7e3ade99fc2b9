import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import type { FastifyInstance } from 'fastify';
import { fastify } from 'fastify';
import { UnsecuredJWT } from 'jose';

import { eventually } from '../../../test/support/eventually.js';
import type { Caller } from '../../access/caller.js';
import { endWithdrawnAnswers } from './end-withdrawn-answers.js';

const CALLER: Caller = { subject: 'a', userType: 'system', scopes: [], grants: [] };
/** It has expired long ago. */
const TOKEN = new UnsecuredJWT({ sub: 'a', userType: 'system', scope: [], iat: 1_000, exp: 2_000 }).encode();

let server: FastifyInstance;
let body: PassThrough;
let looks: number;
let isHeard: boolean;
let callerNow: Caller | undefined;
let refused: string[][];
beforeEach(async () => {
  body = new PassThrough();
  [looks, isHeard, callerNow, refused] = [0, true, CALLER, []];
  server = fastify();
  server.addHook('onRequest', (request, _, done) => {
    Object.assign(request, { caller: CALLER });
    done();
  });
  endWithdrawnAnswers(server, {
    standing: {
      current: () => {
        looks += 1;
        return isHeard ? Promise.resolve() : Promise.reject(new Error('no database'));
      },
      callerNow: () => callerNow,
    },
    refusals: { note: (refusal, client) => refused.push([refusal, client]) },
  });
  server.get('/streamed', (_, reply) => reply.send(body));
  await server.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => server.close());

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
});
