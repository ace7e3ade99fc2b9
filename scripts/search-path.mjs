// Counts the files of ours that every warm search enters, by V8's own coverage, and lists them by stage:
//   node scripts/build-if-stale.mjs && node scripts/search-path.mjs
// It runs the built program in this process, on a demonstration country in a directory of its own.
import { Session } from 'node:inspector/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const dist = fileURLToPath(new URL('../dist/src/', import.meta.url));
const load = (file) => import(pathToFileURL(join(dist, file)).href);
const directory = mkdtempSync(join(tmpdir(), 'matricula-path-'));

const SEARCHES = {
  'a status and a type': {
    query: { clauses: [{ eventType: 'birth', status: { type: 'exact', term: 'REGISTERED' } }] },
    limit: 2,
  },
  'a date of birth, sorted': {
    query: {
      type: 'and',
      clauses: [
        { eventType: 'birth', status: { type: 'anyOf', terms: ['DECLARED', 'REGISTERED'] } },
        { data: { 'child.dob': { type: 'range', gte: '2025-01-01', lte: '2025-12-31' } } },
      ],
    },
    sort: [{ field: 'createdAt', direction: 'desc' }],
    limit: 10,
  },
};
/** By stage, the beginnings of the paths of its files; docs/architecture.md says why each is entered. */
const STAGES = {
  arrival: ['gateway/', 'cli/application', 'platform/queue/other-work'],
  caller: [
    'gateway/bearer/',
    'gateway/rate-limit/',
    'auth/',
    'platform/database/connection/followed',
    'platform/database/connection/change',
  ],
  body: ['gateway/body/', 'kernel/input/repeated-key'],
  service: [
    'events/search/search',
    'events/search/require-url-keys',
    'events/search/answer/accepts-ndjson',
    'platform/queue/hang-up',
    'auth/access/next-link',
    'auth/locations/',
  ],
  request: ['events/search/request/', 'kernel/input/', 'kernel/domain/', 'kernel/errors/'],
  cost: ['events/search/plan/cost', 'events/search/plan/require-affordable'],
  audit: ['platform/audit/', 'events/records/record-row'],
  admission: ['events/search/admission/', 'platform/queue/fair-queue'],
  predicate: ['events/search/predicate/', 'events/index/'],
  plan: ['events/search/plan/', 'events/index/statistics/'],
  statement: ['events/search/statement/', 'kernel/sql/'],
  answer: [
    'events/search/search.repository',
    'events/search/answer/',
    'events/search/request/cursors',
    'platform/database/',
  ],
};
const WARM = 20;
const COUNTED = 10;
/** Before each search that is counted: what goes on beside searches has its turns then. */
const QUIET_MS = 100;

process.env = {
  ...process.env,
  DATA_DIR: directory,
  PORT: '0',
  INTERNAL_PORT: '0',
  DATABASE_URL: '',
  REDIS_URL: '',
  LOG_LEVEL: 'error',
};
const { readConfig } = await load('platform/config/read-config.js');
const { openConfiguredServer } = await load('cli/configured-server.js');
const { createApplication } = await load('cli/application.js');
const { prepareDemonstration } = await load('cli/demonstration.js');

const config = readConfig({ ...process.env, DEMO_RECORDS: '200' });
const server = await openConfiguredServer(config);
const application = await createApplication(config, server.url);
try {
  const { client } = await prepareDemonstration(application.app, config);
  await application.listen();
  const credentials = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client.client_id,
    client_secret: client.client_secret,
  });
  const answer = await fetch(`${application.publicUrl}/auth/token`, { method: 'POST', body: credentials });
  const { access_token: token } = await answer.json();
  const url = `${application.publicUrl}/events/search`;
  for (const [name, body] of Object.entries(SEARCHES)) {
    const search = () => ask(url, token, body);
    for (let at = 0; at < WARM; at++) await search();
    report(name, await filesEntered(search));
  }
} finally {
  await application.close();
  await server.close();
  rmSync(directory, { recursive: true, force: true });
}

async function ask(url, token, body) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { total } = await answer.json();
  if (answer.status !== 200 || !(total > 0))
    throw new Error(`the search was answered with ${answer.status} and a total of ${total}`);
}

/** Files of which a function ran in every one of the searches that are counted: timers run in some of them alone. */
async function filesEntered(search) {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const taken = async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(
        ({ url, functions }) =>
          url.startsWith(pathToFileURL(dist).href) && functions.some(({ ranges }) => ranges[0].count > 0),
      )
      .map(({ url }) => fileURLToPath(url).slice(dist.length).replace(/\.js$/, '.ts'));
  };
  let entered;
  for (let at = 0; at < COUNTED; at++) {
    await setTimeout(QUIET_MS);
    await taken();
    await search();
    const now = new Set(await taken());
    entered = (entered ?? [...now]).filter((file) => now.has(file));
  }
  session.disconnect();
  return entered.sort();
}

/** Prints the files by stage, in the order in which a request reaches the stages. */
function report(name, files) {
  console.log(`\n${name}: ${files.length} files`);
  for (const stage of [...Object.keys(STAGES), 'elsewhere']) {
    const inside = files.filter((file) => stageOf(file) === stage);
    if (inside.length > 0) console.log(`  ${stage}, ${inside.length}: ${inside.join(' ')}`);
  }
}

/** The stage with the longest beginning of the file's path. */
function stageOf(file) {
  const beginnings = Object.entries(STAGES).flatMap(([stage, paths]) => paths.map((path) => ({ stage, path })));
  const found = beginnings.filter(({ path }) => file.startsWith(path)).sort((a, b) => b.path.length - a.path.length);
  return found[0]?.stage ?? 'elsewhere';
}
