import { Pool } from 'undici';

import { cpuSecondsBetween, cpuTimesOf } from './cpu-time.js';
import type { SubscriberProcess } from './subscriber-process.js';

/** Headers as long as those of a notification, so that the same bytes are sent and read. */
const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Matricula/2.0.0',
  'x-hub-signature': `sha1=${'0'.repeat(40)}`,
  'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
  'webhook-id': '0'.repeat(36),
  'webhook-timestamp': '1780477201',
  'webhook-signature': `v1,${'0'.repeat(44)}`,
  'x-correlation-id': '0'.repeat(36),
};

/** What undici reaches alone. */
export interface Floor {
  /** POSTs. */
  readonly perSecond: number;
  /** Microseconds of processor time that a POST takes. */
  readonly cpu: { readonly sender: number; readonly subscriber: number };
}

/** POSTs that undici makes to the subscriber with as much in flight, and nothing else to do: the floor. */
export async function floor(
  subscriber: SubscriberProcess,
  body: Buffer,
  { inFlight, warmUp, count }: { readonly inFlight: number; readonly warmUp: number; readonly count: number },
): Promise<Floor> {
  const url = new URL(subscriber.healthy(0));
  const pool = new Pool(url.origin, { connections: inFlight, connect: { ca: subscriber.authority } });
  const request = {
    path: url.pathname,
    method: 'POST',
    headers: HEADERS,
    body,
  } as const;
  const post = async (): Promise<void> => {
    const { statusCode, body: answer } = await pool.request(request);
    await answer.dump();
    if (statusCode !== 200) throw new Error(`the subscriber answered ${statusCode}`);
  };
  const posts = async (many: number): Promise<void> => {
    let left = many;
    const work = async (): Promise<void> => {
      while (left-- > 0) await post();
    };
    await Promise.all(Array.from({ length: inFlight }, work));
  };
  await posts(warmUp);
  const taken = () => Promise.all([cpuTimesOf([process.pid]), cpuTimesOf([subscriber.pid])]);
  const before = await taken();
  const beganMs = performance.now();
  await posts(count);
  const perSecond = (count * 1_000) / (performance.now() - beganMs);
  const after = await taken();
  const microsecondsOf = (at: 0 | 1): number => (cpuSecondsBetween(before[at], after[at]) * 1e6) / count;
  await pool.close();
  await subscriber.take();
  return { perSecond, cpu: { sender: microsecondsOf(0), subscriber: microsecondsOf(1) } };
}
