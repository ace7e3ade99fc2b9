/**
 * The procedure of `docs/how-to/upgrade-and-backup.md`, done for real: `npm run test:restore`. It needs PostgreSQL 15 or
 * later with its programs, in `PG_BIN` or where `pg_config` says; `npm run test:restore -- embedded` takes the server of
 * the npm package, which comes without `pg_basebackup` and `pg_dump`. The run fails where it departs from the page.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { serverAccount } from '../../src/platform/database/embedded/server-process.js';
import { packageBinaries } from '../../src/platform/database/embedded/binary-copy.js';
import { usableBinaries } from '../../src/platform/database/embedded/embedded-server.js';
import { Cluster } from '../support/cluster.js';
import { matricula, succeed } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { testAuthority } from '../support/scripted-subscriber.js';
import { TokenIssuer } from '../support/token-issuer.js';
import { Ledger } from '../faults/ledger.js';
import { Receiver } from '../faults/receiver.js';
import { ServiceProcess } from '../faults/service-process.js';
import { aRegistration, ask, postEvent } from '../faults/requests.js';

interface Client {
  readonly client_id: string;
  readonly client_secret: string;
  readonly sha_secret: string;
}

const DATABASE = 'matricula';
const base = await mkdtemp(join(tmpdir(), 'matricula-restore-'));
const programs = await programsOf(process.argv[2]);
const issuer = new TokenIssuer();
const token = await issuer.token();
const say = (line: string): void => {
  console.log(`${new Date().toISOString()}  ${line}`);
};

let server = await Cluster.create(programs, base);
const environment = {
  DATABASE_URL: server.url(DATABASE),
  DATABASE_POOL_SIZE: '4',
  SECRETS_KEY: randomBytes(32).toString('base64'),
  JWT_PRIVATE_KEY: issuer.pem,
  WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  WEBHOOK_CA: testAuthority.certificate,
  WEBHOOK_RETRY_SECONDS: Array(60).fill('1').join(','),
};
const service = new ServiceProcess(environment);
const ledger = new Ledger();
let subscriber: Receiver | undefined;

const register = (scope: string): Promise<Client> =>
  ask(201, `${service.urls?.internalUrl ?? ''}/registerSystemClient`, token, { scope });
const tokenStatus = async (client: Client): Promise<number> =>
  (
    await fetch(`${service.urls?.publicUrl ?? ''}/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...client, sha_secret: undefined, grant_type: 'client_credentials' }),
    })
  ).status;

type Events = readonly ReturnType<typeof aRegistration>[];
const someEvents = (count: number): Events => Array.from({ length: count }, aRegistration);

async function send(events: Events): Promise<void> {
  for (const event of events) {
    assert.equal(await postEvent(service.urls?.internalUrl, token, JSON.stringify(event)), 200);
    ledger.take(event.id);
  }
}

const delivered = (count: number): Promise<void> =>
  eventually(`${count} deliveries`, () => ledger.tally().delivered >= count, 60_000);
const count = async (table: string, database = DATABASE): Promise<number> =>
  Number(await server.query(database, `select count(*) from ${table}`));

try {
  await server.start();
  await server.query('postgres', `create database ${DATABASE}`);
  await service.start();
  subscriber = await Receiver.start(ledger.addSubscriber());
  const client = await register('WEBHOOK');
  const { access_token: clientToken } = await ask<{ access_token: string }>(
    200,
    `${service.urls?.publicUrl ?? ''}/token`,
    '',
    { ...client, grant_type: 'client_credentials' },
  );
  const hub = {
    callback: subscriber.callback,
    mode: 'subscribe',
    topic: 'BIRTH_REGISTERED',
    secret: client.sha_secret,
  };
  await ask(202, `${service.urls?.publicUrl ?? ''}/webhooks`, clientToken, { hub });
  await send(someEvents(20));
  await delivered(20);
  say(`${await server.query(DATABASE, 'show server_version')}: 20 events before the backups, delivered`);

  const means = await server.backUp(join(base, 'backup'));
  const hasDump = server.has('pg_dump');
  if (hasDump) await server.program('pg_dump', '-Fc', '-d', server.url(DATABASE), '-f', join(base, 'dump'));
  say(`${means}${hasDump ? ' and pg_dump' : ''}, with the service running`);

  await subscriber.down();
  const waiting = someEvents(10);
  await send(waiting);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const moment = await server.query('postgres', 'select clock_timestamp()');
  await new Promise((resolve) => setTimeout(resolve, 500));
  say(`10 events while the subscriber is down; this is the moment: ${moment}`);

  await subscriber.up();
  await delivered(30);
  const later = someEvents(15);
  await send(later);
  await delivered(45);
  const newcomer = await register('WEBHOOK');
  assert.equal(await tokenStatus(newcomer), 200);
  const before = ledger.tally();
  say('the 10 are delivered, 15 more come and are delivered, and a client is registered: all of it after the moment');

  await server.query('postgres', 'select pg_switch_wal()');
  await service.stop();
  await server.stop();
  server = await server.restored(join(base, 'backup'), join(base, 'archive'), moment);
  await server.start();
  await eventually(
    'the end of the recovery',
    async () => (await server.query(DATABASE, 'select pg_is_in_recovery()')) === 'f',
  );
  assert.equal(await count('event'), 30);
  say('restored to the moment: 30 events');

  const otherKey = { ...environment, SECRETS_KEY: randomBytes(32).toString('base64') };
  const refused = await matricula(['serve'], otherKey);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /SECRETS_KEY is not the one/);
  say('under another SECRETS_KEY it does not start');

  await service.start();
  await eventually('the 10 again', () => ledger.tally().repeated >= 10, 60_000);
  const after = ledger.tally();
  assert.deepEqual([after.repeated - before.repeated, after.differing], [10, 0]);
  say('the 10 that waited at the moment came again, under the same ids and with the same bytes');
  assert.deepEqual([await tokenStatus(client), await tokenStatus(newcomer)], [200, 401]);
  say('the client of before gets its token, the one registered after the moment gets 401');

  await send(later);
  await eventually('the 15 again', () => ledger.tally().received >= after.received + 15, 60_000);
  assert.equal(ledger.tally().differing, 15);
  assert.equal(await count('event'), 45);
  await send([...waiting, ...later]);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  assert.equal(ledger.tally().received, after.received + 15);
  say('the 15 sent once more by the trigger feed are published again, under new ids; what was there already is not');
  await succeed(['reindex', '--check'], environment);
  say('reindex --check: what is derived is what the records say');

  if (hasDump) {
    await server.query('postgres', 'create database from_dump');
    await server.program('pg_restore', '-d', server.url('from_dump'), '--exit-on-error', join(base, 'dump'));
    assert.equal(await count('event', 'from_dump'), 20);
    const fromDump = { ...environment, DATABASE_URL: server.url('from_dump') };
    await succeed(['reindex', '--check'], fromDump);
    const update = server.query('from_dump', 'delete from audit_log');
    await assert.rejects(update, /append-only/);
    say('pg_restore: 20 events, reindex --check finds nothing, and the audit log refuses changes');
  } else say('there is no pg_dump beside this server: a dump was not tried');
  say('as docs/how-to/upgrade-and-backup.md says');
} finally {
  await service.stop().catch(() => undefined);
  await subscriber?.down().catch(() => undefined);
  await server.stop();
  await rm(base, { recursive: true, force: true });
}

/** Where the programs are. */
async function programsOf(which: string | undefined): Promise<string> {
  if (which !== 'embedded') {
    return process.env.PG_BIN ?? execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim();
  }
  const binaries = await usableBinaries(await packageBinaries(), await serverAccount(base), base);
  return join(binaries, 'bin');
}
