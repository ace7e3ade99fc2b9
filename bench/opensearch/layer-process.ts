/**
 * The least that stands before OpenSearch where people search: checks the token, turns the clause tree into a query,
 * asks, and answers with the total and the records. Started by layer.ts with the address of OpenSearch and the public
 * key; writes the address that it listens on.
 */
import Fastify from 'fastify';
import { importSPKI, jwtVerify } from 'jose';
import { Pool } from 'undici';

import { INDEXES } from './mapping.js';
import type { Clause } from './query.js';
import { searchBody } from './query.js';

interface Hits {
  readonly hits: {
    readonly total: { readonly value: number };
    readonly hits: readonly { readonly _source: object }[];
  };
}

const [url = '', publicKey = ''] = process.argv.slice(2);
const key = await importSPKI(publicKey, 'RS256');
const pool = new Pool(url, { connections: 32 });
const server = Fastify();

server.post('/search', async (request, reply) => {
  const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
  const isValid = await jwtVerify(token, key).then(
    () => true,
    () => false,
  );
  if (!isValid) return reply.code(401).send();
  const { query } = request.body as { readonly query: Clause };
  const answer = await pool.request({
    path: `/${INDEXES}/_search?request_cache=false`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(searchBody(query)),
  });
  if (answer.statusCode !== 200) return reply.code(502).send();
  const { hits } = (await answer.body.json()) as Hits;
  return { total: hits.total.value, results: hits.hits.map(({ _source }) => _source) };
});

process.stdout.write(`${await server.listen({ host: '127.0.0.1', port: 0 })}\n`);
