import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';

import { answerInSlices } from './request-hooks.js';

const EVENT = {
  id: 'é',
  actions: Array.from({ length: 2_000 }, (_, at) => ({ at, said: 'é'.repeat(100), no: undefined })),
};

let app: FastifyInstance;
let refusal: Error | undefined;
beforeEach(() => {
  app = fastify();
  refusal = undefined;
  app.setErrorHandler((error, _, reply) => reply.status(503).send({ issues: [(error as Error).message] }));
  app.addHook('onRequest', ({ is404 }, _, done) => {
    if (is404) done(new Error('no route'));
    else done();
  });
  answerInSlices(app);
  app.addHook('onSend', (_, __, payload, done) => {
    const error = refusal;
    refusal = undefined;
    if (error === undefined) done(null, payload);
    else done(error);
  });
  app.get('/event', () => EVENT);
  app.get('/events', () => [EVENT, EVENT]);
  app.get('/token', () => ({ access_token: 'x' }));
  app.get('/text', () => '["x"]');
});
afterEach(() => app.close());

async function answerOf(url: string): Promise<object> {
  const { statusCode, headers, body } = await app.inject({ url });
  return { statusCode, type: headers['content-type'], length: Number(headers['content-length']), body };
}

const ok = (body: string, type = 'application/json; charset=utf-8') => ({
  statusCode: 200,
  type,
  length: Buffer.byteLength(body),
  body,
});

describe('an answer with lists', () => {
  it.each<[string, object]>([
    ['/event', ok(JSON.stringify(EVENT))],
    ['/events', ok(JSON.stringify([EVENT, EVENT]))],
    ['/token', ok('{"access_token":"x"}')],
    ['/text', ok('["x"]', 'text/plain; charset=utf-8')],
  ])('is the JSON that it would be at once: %s', async (url, expected) => {
    expect(await answerOf(url)).toEqual(expected);
  });

  it.each<[string, Error | undefined, string]>([
    ['/event', new Error('no room'), '{"issues":["no room"]}'],
    ['/nowhere', undefined, '{"issues":["no route"]}'],
  ])('gives way to an error: %s', async (url, error, body) => {
    refusal = error;
    expect(await answerOf(url)).toEqual({ ...ok(body), statusCode: 503 });
  });
});
