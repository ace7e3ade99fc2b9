/**
 * The server of one test run, as a process of its own: Jest's global setup cannot import the service's modules, and
 * whatever ends Jest also ends this. It prints one line of JSON once the template database is there, and cleans up
 * when its standard input closes.
 */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

import pg from 'pg';

import { FIX_TERM_KEY } from './terms.js';
import { Secret } from '../../src/platform/config/secret.js';
import { createDataSource } from '../../src/platform/database/schema/data-source.js';
import { migrate } from '../../src/platform/database/schema/prepare-database.js';
import { openServer } from '../../src/platform/database/embedded/open-server.js';
import { databaseAt } from './database-at.js';
import { scratchDirectory } from './scratch-directory.js';

const given = process.env.DATABASE_URL;
const dataDir = given ? undefined : await scratchDirectory('matricula-test-');
const server = await openServer({
  databaseUrl: given ? new Secret(given) : undefined,
  dataDir: dataDir ?? '',
  log: (line) => {
    console.error(line);
  },
});
const run = `matricula_test_${randomBytes(6).toString('hex')}`;
const template = `${run}_template`;
let failed = false;
try {
  await administer(async (query) => {
    if (server.embedded) {
      // Nothing here outlives the run.
      await query('alter system set fsync = off');
      await query('alter system set full_page_writes = off');
      await query('select pg_reload_conf()');
      await logInCheaply(query);
    }
    await query(`create database ${template}`);
  });
  const dataSource = await createDataSource(databaseAt(server.url, template), 2).initialize();
  await migrate(dataSource);
  await dataSource.query(FIX_TERM_KEY);
  await dataSource.destroy();
  // A connection to it would keep others from copying it.
  await administer((query) => query(`alter database ${template} allow_connections false`));
  console.log(JSON.stringify({ url: server.url, run }));
  await text(process.stdin);
} catch (error) {
  failed = true;
  console.error(error);
} finally {
  await administer(async (query) => {
    const left = await query(`select datname from pg_database where starts_with(datname, '${run}_')`);
    for (const { datname } of left) await query(`drop database if exists ${datname} with (force)`);
  }).catch((error: unknown) => {
    console.error(error);
  });
  await server.close();
  if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
  process.exitCode = failed ? 1 : 0;
}

/** Tests make thousands of connections, each of which derives the key of the password: by default in 4,096 rounds. */
async function logInCheaply(query: Query): Promise<void> {
  const { username, password } = new URL(server.url);
  await query('set scram_iterations = 1');
  await query(`alter role ${pg.escapeIdentifier(username)} password ${pg.escapeLiteral(decodeURIComponent(password))}`);
}

type Query = (statement: string) => Promise<{ datname: string }[]>;

async function administer<T>(work: (query: Query) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return await work(async (statement) => (await client.query<{ datname: string }>(statement)).rows);
  } finally {
    await client.end();
  }
}
