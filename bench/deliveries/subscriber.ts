/**
 * Subscribers, in a process of their own: `/hook/<n>` answers 200, at once or after `?ms=<n>`, `/hanging` never, and on
 * the second port there is one only until it is told to be dead.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';

import { BIRTH_KEY } from './birth.js';
import { sharedNowMs } from './shared-clock.js';

/** What came to one path. */
export interface Arrivals {
  readonly count: number;
  /** Deliveries that came, each counted once. */
  readonly different: number;
  readonly bytes: number;
  /** When the latest came, in milliseconds since 1970. */
  readonly lastMs: number;
  /** Milliseconds from when each delivery was made out until it came. */
  readonly latenciesMs: readonly number[];
  /** Of which birth each was, and when it came by the clock of `nowMs`; where the body has the key of a birth. */
  readonly births: readonly (readonly [key: string, atMs: number])[];
}

export type ToSubscriber =
  | { readonly kind: 'listen'; readonly cert: string; readonly key: string }
  | { readonly kind: 'die' }
  /** Asks for what came since it was taken the last time. */
  | { readonly kind: 'take' }
  /** Asks for the same, without its latencies, and leaves it there. */
  | { readonly kind: 'look' };

export type FromSubscriber =
  | { readonly kind: 'listening'; readonly port: number; readonly mortalPort: number }
  | { readonly kind: 'dead' }
  | { readonly kind: 'taken'; readonly arrivals: Readonly<Record<string, Arrivals>> };

interface Seen {
  readonly ids: Set<string>;
  readonly latenciesMs: number[];
  readonly births: [string, number][];
  count: number;
  bytes: number;
  lastMs: number;
}

const seen = new Map<string, Seen>();

function note(path: string, id: string, text: string): void {
  const nowMs = Date.now();
  const at = seen.get(path) ?? { ids: new Set(), latenciesMs: [], births: [], count: 0, bytes: 0, lastMs: 0 };
  seen.set(path, at);
  at.count += 1;
  at.bytes += text.length;
  at.lastMs = nowMs;
  at.ids.add(id);
  const [, madeOut] = /"timestamp":"([^"]*)"/.exec(text) ?? [];
  if (madeOut !== undefined) at.latenciesMs.push(nowMs - Date.parse(madeOut));
  const [key] = BIRTH_KEY.exec(text) ?? [];
  if (key !== undefined) at.births.push([key, sharedNowMs()]);
}

const arrivals = (withLatencies: boolean): Readonly<Record<string, Arrivals>> =>
  Object.fromEntries(
    [...seen].map(([path, { ids, latenciesMs, births, ...rest }]) => [
      path,
      {
        different: ids.size,
        latenciesMs: withLatencies ? latenciesMs : [],
        births: withLatencies ? births : [],
        ...rest,
      },
    ]),
  );

function take(): Readonly<Record<string, Arrivals>> {
  const taken = arrivals(true);
  seen.clear();
  return taken;
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '', 'https://localhost');
  let text = '';
  request.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  request.on('end', () => {
    if (request.method === 'GET') {
      response.writeHead(200).end(JSON.stringify({ challenge: searchParams.get('challenge') }));
      return;
    }
    note(pathname, String(request.headers['webhook-id']), text);
    if (pathname === '/hanging') return;
    setTimeout(() => response.writeHead(200).end(), Number(searchParams.get('ms') ?? 0));
  });
}

const listen = async (cert: string, key: string): Promise<Server> => {
  const server = createServer({ cert, key }, answer);
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

let mortal: Server | undefined;

async function obey(message: ToSubscriber): Promise<FromSubscriber> {
  switch (message.kind) {
    case 'listen': {
      const server = await listen(message.cert, message.key);
      mortal = await listen(message.cert, message.key);
      return { kind: 'listening', port: portOf(server), mortalPort: portOf(mortal) };
    }
    case 'die':
      mortal?.closeAllConnections();
      mortal?.close();
      return { kind: 'dead' };
    case 'take':
      return { kind: 'taken', arrivals: take() };
    case 'look':
      return { kind: 'taken', arrivals: arrivals(false) };
  }
}

process.on('message', (message: ToSubscriber) => {
  void obey(message).then((reply) => process.send?.(reply));
});
process.on('disconnect', () => process.exit());
