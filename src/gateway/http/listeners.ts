import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import type { Config } from '../../config/config.js';
import type { Listener } from '../routes.js';
import { answerMalformed } from './malformed-request.js';

/** Room for a token, and for a token request whose parameters stand in the URL; past it the request is refused. */
const MAX_HEADER_BYTES = 65_536;
/** Longer than the idle time of the usual load balancers, so that it is they who close a connection. */
const KEEP_ALIVE_MS = 72_000;
const HEADERS_MS = 60_000;

interface Address {
  readonly host: string;
  readonly port: number;
}

/** The two HTTP servers of one application (P-4), and the connections that are open to them. */
export class Listeners {
  private readonly servers = new Map<Listener, Server>();
  private readonly internalRequests = new WeakSet<IncomingMessage>();
  private readonly awaitingContinue = new WeakSet<IncomingMessage>();
  /** The requests in flight of every open connection. */
  private readonly connections = new Map<Socket, Set<ServerResponse>>();
  private stopping = false;

  /** Fastify's `serverFactory`: makes both servers over the one handler, and yields the public one. */
  create(handler: RequestListener): Server {
    this.createServer('internal', handler);
    return this.createServer('public', handler);
  }

  listenerOf(request: IncomingMessage): Listener {
    return this.internalRequests.has(request) ? 'internal' : 'public';
  }

  /** Whether the client waits for `100 Continue` before it sends its body. */
  expectsContinue(request: IncomingMessage): boolean {
    return this.awaitingContinue.has(request);
  }

  /** Lets a client that waits send its body. */
  continue(request: IncomingMessage, response: ServerResponse): void {
    if (this.awaitingContinue.delete(request)) response.writeContinue();
  }

  /** Whether new requests are taken no more, and a connection ends with its answer (P-8). */
  get closing(): boolean {
    return this.stopping;
  }

  async listen(config: Config): Promise<void> {
    await listen(this.server('public'), { host: config.HOST, port: config.PORT });
    await listen(this.server('internal'), { host: config.INTERNAL_HOST, port: config.INTERNAL_PORT });
  }

  /** `http://127.0.0.1:7070`: where the listener can be reached from this machine; undefined before it listens. */
  url(listener: Listener): string | undefined {
    const address = this.server(listener).address();
    return address === null || typeof address === 'string' ? undefined : urlOf(address);
  }

  /** Stops accepting; requests in flight have `graceMs` to finish, then their connections are destroyed (P-8). */
  async close(graceMs: number): Promise<void> {
    this.stopping = true;
    const closed = [...this.servers.values()].map((server) => new Promise((resolve) => server.close(resolve)));
    for (const [socket, inFlight] of this.connections) if (inFlight.size === 0) socket.destroy();
    const deadline = setTimeout(() => {
      for (const socket of this.connections.keys()) socket.destroy();
    }, graceMs);
    await Promise.all(closed);
    clearTimeout(deadline);
  }

  private createServer(listener: Listener, handler: RequestListener): Server {
    const server = createServer({
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_MS,
      // A large import may take as long as it likes; `read-body.ts` minds the time of every other body.
      requestTimeout: 0,
    });
    const handle = (request: IncomingMessage, response: ServerResponse): void => {
      if (listener === 'internal') this.internalRequests.add(request);
      this.track(request.socket, response);
      handler(request, response);
    };
    server.on('request', handle);
    server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      this.awaitingContinue.add(request);
      handle(request, response);
    });
    // Any other expectation may be ignored (RFC 9110 10.1.1).
    server.on('checkExpectation', handle);
    server.on('connection', (socket: Socket) => {
      this.connections.set(socket, new Set());
      socket.once('close', () => this.connections.delete(socket));
    });
    server.on('clientError', (error: Error, socket: Socket) => {
      answerMalformed(error, socket, [...(this.connections.get(socket) ?? [])]);
    });
    this.servers.set(listener, server);
    return server;
  }

  private track(socket: Socket, response: ServerResponse): void {
    const inFlight = this.connections.get(socket);
    inFlight?.add(response);
    response.once('close', () => {
      inFlight?.delete(response);
      if (this.stopping && inFlight?.size === 0) socket.destroySoon();
    });
  }

  private server(listener: Listener): Server {
    const server = this.servers.get(listener);
    if (server === undefined) throw new Error('the servers are made by Fastify, through create()');
    return server;
  }
}

function listen(server: Server, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** A listener on every address is reached on the loopback one. */
function urlOf({ address, family, port }: AddressInfo): string {
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}
