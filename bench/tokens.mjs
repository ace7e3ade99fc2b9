// Tokens a second over HTTP beside the RS256 signatures a second that crypto.sign reaches in the same run, which is
// their floor: node bench/tokens.mjs http://127.0.0.1:7070 CLIENT_ID CLIENT_SECRET [SECONDS]
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { parseArgs } from 'node:util';

import { Pool } from 'undici';

const IN_FLIGHT = 10;
const [url, clientId, clientSecret, seconds = '5'] = parseArgs({ allowPositionals: true }).positionals;
if (clientSecret === undefined) {
  console.error('usage: node bench/tokens.mjs URL CLIENT_ID CLIENT_SECRET [SECONDS]');
  process.exit(2);
}
const runMs = Number(seconds) * 1_000;

/** One core, one signature after the other, as long as a token's: header, claims, RS256 with 2048 bits. */
function signatures() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const input = randomBytes(700);
  const began = performance.now();
  let count = 0;
  for (; performance.now() - began < runMs; count += 1) sign('RSA-SHA256', input, privateKey);
  return (count * 1_000) / (performance.now() - began);
}

async function tokens() {
  const pool = new Pool(url, { connections: IN_FLIGHT });
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  }).toString();
  const request = {
    path: '/auth/token',
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  };
  const began = performance.now();
  const timesMs = [];
  const ask = async () => {
    while (performance.now() - began < runMs) {
      const asked = performance.now();
      const answer = await pool.request(request);
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`the token endpoint answered ${answer.statusCode}`);
      timesMs.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, ask));
  const perSecond = (timesMs.length * 1_000) / (performance.now() - began);
  await pool.close();
  timesMs.sort((a, b) => a - b);
  return { perSecond, p50: timesMs[timesMs.length >> 1], p99: timesMs[Math.floor(timesMs.length * 0.99)] };
}

const before = signatures();
const { perSecond, p50, p99 } = await tokens();
const after = signatures();
const floor = (before + after) / 2;
console.log(
  `crypto.sign, one core:      ${floor.toFixed(0)}/s (${before.toFixed(0)} before, ${after.toFixed(0)} after)`,
);
console.log(
  `tokens over HTTP, ${IN_FLIGHT} at once: ${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
);
console.log(`ratio:                      ${((100 * perSecond) / floor).toFixed(0)} %`);
