/**
 * A client that has nothing to do with any attack, as a process of its own, so that neither disturbs the other's clock:
 * it looks one record up, again and again. It is told where by its first line of input. Each further line ends a lap:
 * it prints the lap's figures as a line of JSON, gets a new token, and begins the next one.
 */
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import { Agent, request } from 'undici';

import type { BystanderOrders, Lap } from './bystander.js';

const PACE_MS = 20;
/** A request that takes longer counts as not answered. */
const PATIENCE_MS = 60_000;

const lines = createInterface(process.stdin)[Symbol.asyncIterator]();
const { value: given } = (await lines.next()) as { value: string };
const { publicUrl, clientId, clientSecret, recordId } = JSON.parse(given) as BystanderOrders;
const dispatcher = new Agent({ headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS, connections: 1 });

async function post(path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const answer = await request(`${publicUrl}${path}`, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.statusCode, text: await answer.body.text() };
}

async function getToken(): Promise<string> {
  const body = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' };
  const { status, text } = await post('/auth/token', body);
  if (status !== 200) throw new Error(`no token: ${status} ${text}`);
  return (JSON.parse(text) as { access_token: string }).access_token;
}

let token = await getToken();

/** What came of one look-up: `found`, or what came instead. */
async function lookUp(): Promise<string> {
  try {
    const headers = { authorization: `Bearer ${token}` };
    const { status, text } = await post('/events/search', { query: { clauses: [{ id: recordId }] } }, headers);
    if (status !== 200) return String(status);
    return (JSON.parse(text) as { total: number }).total === 1 ? 'found' : 'not found';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

let lapsAsked = 0;
void (async () => {
  for await (const line of { [Symbol.asyncIterator]: () => lines }) if (line === 'lap') lapsAsked += 1;
  process.exit(0);
})();

let times: number[] = [];
let outcomes: Record<string, number> = {};
for (let laps = 0; ;) {
  const begun = performance.now();
  const outcome = await lookUp();
  times.push(performance.now() - begun);
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  if (lapsAsked > laps) {
    laps += 1;
    const sorted = times.sort((a, b) => a - b);
    const lap: Lap = { p99Ms: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? NaN, lookUps: sorted.length, outcomes };
    console.log(JSON.stringify(lap));
    [times, outcomes] = [[], {}];
    token = await getToken().catch(() => token);
  }
  await sleep(PACE_MS);
}
