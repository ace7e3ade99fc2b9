/**
 * The least that answers a look-up over HTTP: `node:http` runs a statement through `pg` and sends the record, without a
 * token, a check or a log. Started by bare-http.ts with the address of the database; reads the statements, a JSON list,
 * from standard input, and writes the port that it listens on. A request asks for one of them by its number.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import pg from 'pg';

import { CONNECTIONS, SESSION } from './look-up-session.js';
import type { Statement } from './statement-of.js';

const [databaseUrl] = process.argv.slice(2);
const statements = (await json(process.stdin)) as readonly Statement[];
const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS, options: SESSION });

const server = createServer((request, response) => {
  let at = '';
  request.on('data', (bytes: Buffer) => (at += bytes.toString()));
  request.on('end', () => {
    const { text, params } = statements[Number(at)] ?? { text: '', params: [] };
    void pool
      .query<{ total: string; body: string }>({ name: 'look-up', text, values: [...params] })
      .then(({ rows }) => {
        const answer = `{"results":[${rows.map(({ body }) => body).join(',')}],"total":${rows[0]?.total ?? '0'}}`;
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) });
        response.end(answer);
      });
  });
});

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
