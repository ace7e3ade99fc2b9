/**
 * Attacks the built program while a second client looks records up, and holds it to. `npm run test:hostile`
 * plays every attack and writes the table of `docs/explanation/reliability.md`; `npm run test:hostile -- TEXT …` plays those
 * that contain one of the texts, and writes nothing; so does `--check`, which plays those that are not costly.
 */
import { randomBytes } from 'node:crypto';

import { PostgresServer } from '../faults/postgres-server.js';
import { writeReport } from '../faults/report.js';
import { ServiceProcess } from '../faults/service-process.js';
import { succeed } from '../support/command-line.js';
import { testAuthority } from '../support/scripted-subscriber.js';
import { TokenIssuer } from '../support/token-issuer.js';
import { Arena } from './arena.js';
import type { Attack } from './attack.js';
import { ASSERTION_ATTACKS } from './attacks/assertions.js';
import { CONNECTION_ATTACKS } from './attacks/connections.js';
import { COUNT_ATTACKS } from './attacks/counts.js';
import { CREDENTIAL_ATTACKS } from './attacks/credentials.js';
import { LARGE_RECORD_ATTACKS } from './attacks/large-records.js';
import { LIST_ATTACKS } from './attacks/lists.js';
import { LOGIN_ATTACKS } from './attacks/logins.js';
import { RECORD_ATTACKS } from './attacks/records.js';
import { SCAN_ATTACKS } from './attacks/scans.js';
import { SEALED_ATTACKS } from './attacks/sealed.js';
import { SEARCH_ATTACKS } from './attacks/searches.js';
import { SESSION_ATTACKS } from './attacks/sessions.js';
import { SLOW_BODY_ATTACKS } from './attacks/slow-bodies.js';
import { TRPC_ATTACKS } from './attacks/trpc.js';
import { UPLOAD_ATTACKS } from './attacks/uploads.js';
import { WEBHOOK_ATTACKS } from './attacks/webhooks.js';
import { Bystander } from './bystander.js';
import { asTable } from './table.js';
import { GRACE_SECONDS, PUBLIC_URL, UNNAMED_BYTES } from './settings.js';
import type { Outcome } from './trial.js';
import { trial } from './trial.js';

const ATTACKS: readonly Attack[] = [
  ...CREDENTIAL_ATTACKS,
  ...LOGIN_ATTACKS,
  ...SESSION_ATTACKS,
  ...ASSERTION_ATTACKS,
  ...CONNECTION_ATTACKS,
  ...SEARCH_ATTACKS,
  ...COUNT_ATTACKS,
  ...TRPC_ATTACKS,
  ...LIST_ATTACKS,
  ...UPLOAD_ATTACKS,
  ...WEBHOOK_ATTACKS,
  ...RECORD_ATTACKS,
  ...LARGE_RECORD_ATTACKS,
  ...SCAN_ATTACKS,
  ...SEALED_ATTACKS,
  ...SLOW_BODY_ATTACKS,
];
const HEAP_MB = 512;
const RECORDS = 2_000;

const given = process.argv.slice(2);
const texts = given.filter((text) => text !== '--check');
const isCheck = given.includes('--check');
const attacks = ATTACKS.filter(
  ({ attack, isCostly = false }) =>
    !(isCheck && isCostly) && (texts.length === 0 || texts.some((text) => attack.includes(text))),
);
if (attacks.length === 0) throw new Error(`no attack contains ${texts.join(' or ')}`);

const postgres = await PostgresServer.start();
const issuer = new TokenIssuer();
const environment = {
  DATABASE_URL: await postgres.createDatabase('hostile'),
  SECRETS_KEY: randomBytes(32).toString('base64'),
  JWT_PRIVATE_KEY: issuer.pem,
  SEARCH_TIMEOUT_SECONDS: '10',
  WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  WEBHOOK_CA: testAuthority.certificate,
  // An attacker has as many addresses as he likes.
  TRUSTED_PROXIES: '127.0.0.1',
  CONFIG_REFRESH_TOKEN_GRACE_SECONDS: String(GRACE_SECONDS),
  PUBLIC_URL,
  UNNAMED_UPLOAD_BYTES: String(UNNAMED_BYTES),
};
const service = new ServiceProcess({
  ...environment,
  NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
});
const arena = new Arena(service, issuer);
const outcomes: Outcome[] = [];
let bystander: Bystander | undefined;
try {
  await succeed(['migrate'], environment);
  await succeed(['seed', '--records', String(RECORDS)], environment);
  for (const attack of attacks) {
    if (bystander === undefined || !arena.isAlive) {
      bystander?.stop();
      await service.start();
      bystander = Bystander.start(await ordersOf(arena));
    }
    const outcome = await trial(attack, { arena: arena.anew(), bystander });
    console.log(asTable([outcome]).split('\n').at(-1));
    outcomes.push(outcome);
  }
  if (given.length === 0) {
    const versions = `PostgreSQL ${await postgres.version()}`;
    await writeReport({ section: 'attacks', command: 'test:hostile' }, asTable(outcomes), versions);
  }
} finally {
  bystander?.stop();
  await service.stop().catch((error: unknown) => {
    console.error(error, service.latestComplaints);
    process.exitCode = 1;
  });
  await postgres.stop();
}
for (const { attack, open, faults } of outcomes) {
  for (const fault of faults) console.error(`${open === undefined ? 'FAILED' : 'open'} ${attack}: ${fault}`);
}
// The plain closing line: how many attacks were played that must be held.
const held = outcomes.filter(({ open }) => open === undefined);
const failed = held.filter(({ faults }) => faults.length > 0).length;
console.log(`\n${outcomes.length - held.length} are open: they fail no run yet`);
console.log(`${held.length - failed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;

/** A client that may search, and a record for it to look up. */
async function ordersOf({ publicUrl }: Arena) {
  const client = await arena.client('RECORD_SEARCH');
  const { status, text } = await arena.search(client, { clauses: [{ eventType: 'birth' }] }, { limit: 1 });
  if (status !== 200) throw new Error(`the first search was answered ${status}: ${text}`);
  const { results } = JSON.parse(text) as { results: readonly { id: string }[] };
  return {
    publicUrl,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    recordId: results[0]?.id ?? '',
  };
}
