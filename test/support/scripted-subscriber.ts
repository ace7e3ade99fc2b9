import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

import type { TestCertificate } from './scripted-subscriber-certificates.js';
import { createTestAuthority } from './scripted-subscriber-certificates.js';

/** A request as it reached the subscriber. */
interface ReceivedRequest {
  readonly method: string;
  /** Path and query as they were asked for. */
  readonly target: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** `performance.now()` when it had arrived. */
  readonly atMs: number;
}

/** What the subscriber does with a request; `socket` is the TCP connection, below TLS where there is TLS. */
export type Behaviour = (request: ReceivedRequest, answer: ServerResponse, socket: Socket) => void;

export interface ScriptedSubscriber {
  readonly port: number;
  /** PEM of the authority that its certificate comes from: for `WEBHOOK_CA`. */
  readonly authority: string;
  /** Every request so far, the verification ones too. */
  readonly received: readonly ReceivedRequest[];
  /** The notifications among them. */
  readonly notifications: readonly ReceivedRequest[];
  /** Connections that were made so far. */
  readonly connections: number;
  /** `https://127.0.0.1:<port>/hook`. */
  url(path?: string, host?: string): string;
  /** What notifications meet from now on. Verification requests are always answered as they should be. */
  behave(behaviour: Behaviour): void;
  /** What verification requests meet from now on. */
  verify(behaviour: Behaviour): void;
  forget(): void;
  close(): Promise<void>;
}

interface Options {
  /** `false` for plain http. */
  readonly tls?: TestCertificate | false;
  readonly port?: number;
}

const authority = createTestAuthority();
const certificate = authority.issue(['127.0.0.1', '::1', 'localhost', 'subscriber.example']);

/** Answers with a status, and nothing else unless it is given. */
export const answers =
  (status: number, headers: Readonly<Record<string, string>> = {}, body = ''): Behaviour =>
  (_, answer) => {
    answer.writeHead(status, headers).end(body);
  };

/** Never answers. */
export const hangs: Behaviour = () => undefined;

/** Closes the connection with a reset instead of answering. */
export const resets: Behaviour = (_request, _answer, socket) => {
  socket.resetAndDestroy();
};

/** Answers 200 at once and then goes on with a byte of body every so often, without end. */
export const trickles =
  (everyMs: number): Behaviour =>
  (_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/plain' });
    const timer = setInterval(() => answer.write('x'), everyMs);
    answer.once('close', () => {
      clearInterval(timer);
    });
  };

/** The first request meets the first behaviour, and so on; the last one stays. */
export function inTurn(...behaviours: readonly Behaviour[]): Behaviour {
  let at = 0;
  return (request, answer, socket) => {
    behaviours[Math.min(at++, behaviours.length - 1)]?.(request, answer, socket);
  };
}

/** Answers a verification request as a subscriber should (W-2). */
export const verifies: Behaviour = ({ query }, answer) => {
  answer
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ challenge: query.get('challenge') }));
};

/** A subscriber on a free port of 127.0.0.1 that does as it is told; it answers 200 until then. */
export async function startScriptedSubscriber({
  tls = certificate,
  port = 0,
}: Options = {}): Promise<ScriptedSubscriber> {
  const received: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let behaviour: Behaviour = answers(200);
  let verification: Behaviour = verifies;
  const handle = async (request: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const target = request.url ?? '';
    const seen: ReceivedRequest = {
      method: request.method ?? '',
      target,
      query: new URL(target, 'http://subscriber').searchParams,
      headers: request.headers,
      body,
      atMs: performance.now(),
    };
    received.push(seen);
    const connection = [...sockets].find(({ remotePort }) => remotePort === request.socket.remotePort);
    (seen.method === 'GET' ? verification : behaviour)(seen, answer, connection ?? request.socket);
  };
  const listener = (request: IncomingMessage, answer: ServerResponse): void => {
    // The client may give up in the middle of a request.
    handle(request, answer).catch(() => undefined);
  };
  const server = tls === false ? createHttpServer(listener) : createHttpsServer(tls, listener);
  server.on(tls === false ? 'connection' : 'secureConnection', () => {
    connections += 1;
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    authority: authority.certificate,
    received,
    get notifications() {
      return received.filter(({ method }) => method === 'POST');
    },
    get connections() {
      return connections;
    },
    url: (path = '/hook', host = '127.0.0.1') => `${tls === false ? 'http' : 'https'}://${host}:${bound}${path}`,
    behave: (next) => {
      behaviour = next;
    },
    verify: (next) => {
      verification = next;
    },
    forget: () => {
      received.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}

export { authority as testAuthority };
