import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { errorCode } from '../../kernel/errors/service-error.js';
import type { Config } from '../../platform/config/config.js';
import { ERROR_MESSAGES, type ErrorObject } from '../errors/error-answer.js';
import { HEADER_TOO_LARGE, MAX_HEADER_BYTES, MOST_HEADERS } from './fault-of-head.js';
import { type Connection, GRACE_MS, OpenConnections } from './open-connections.js';
import { type Listener, resolveAddress } from './routes.js';

interface LastAnswer {
  /** The status with its text. */
  readonly status: string;
  readonly body: ErrorObject;
  readonly headers: readonly string[];
}

const MESSAGES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: HEADER_TOO_LARGE,
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time',
};

/**
 * Answers input that is not an HTTP request: no handler ever sees it. 400 with the error object of G-4, unless
 * an answer is due before it; then the connection ends, since nobody knows where the next request would begin.
 */
function answerMalformed(error: Error, socket: Socket, connection: Connection | undefined): void {
  if (errorCode(error) === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const message = MESSAGES[errorCode(error) ?? ''] ?? 'The request is not valid HTTP';
  endWith({ status: '400 Bad Request', body: { message, code: 'BAD_REQUEST' }, headers: [] }, socket, connection);
}

/**
 * Answers CONNECT, which asks for a tunnel to somewhere else: Node hands over the connection instead of a request. 405
 * with the error object; then the connection ends, since what follows is no HTTP.
 */
function answerConnect(socket: Socket, connection: Connection | undefined): void {
  // Node listens to it no more.
  socket.on('error', () => socket.destroy());
  const body = { message: ERROR_MESSAGES.METHOD_NOT_ALLOWED, code: 'METHOD_NOT_ALLOWED' } as const;
  // There is nothing that CONNECT could name here, so no method is allowed there.
  endWith({ status: '405 Method Not Allowed', body, headers: ['Allow: '] }, socket, connection);
}

/** Answers, unless the client has not had the answer before it (G-11); then the connection ends. */
function endWith({ status, body, headers }: LastAnswer, socket: Socket, connection: Connection | undefined): void {
  if (!socket.writable || connection?.isUnanswered === false) {
    socket.destroy();
    return;
  }
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Correlation-Id: ${randomUUID()}`,
    ...headers,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
  // Nothing more from the client is read.
  socket.once('finish', () => socket.destroy());
}

/** No module is mounted there. */
const NOWHERE = '/~nowhere';

/** How long a connection may make the service wait, in milliseconds. */
interface Deadlines {
  /** For the head of a request, once the connection is there. `read-body.ts` limits the time of bodies. */
  readonly head: number;
  /** For the client to take more of an answer. */
  readonly answer: number;
  /** For a request that is on its way when the service ends, on a connection that was just used. */
  readonly last: number;
}

/** How many connections each of the two accepts (G-11), and how long one stays open without a request (G-12). */
type ConnectionSettings = Pick<Config, 'MAX_CONNECTIONS' | 'KEEP_ALIVE_SECONDS'>;

const DEADLINES: Deadlines = { head: 60_000, answer: 60_000, last: 250 };

interface Address {
  readonly host: string;
  readonly port: number;
}

/** Called for a connection that was refused or cut off, with the address of its client. */
type OnRefusal = (refusal: 'connections' | 'unread-answer', client: string) => void;

/** The two HTTP servers of one application (P-4), and their open connections. */
export class Listeners {
  private readonly servers = new Map<Listener, Server>();
  private readonly internalRequests = new WeakSet<IncomingMessage>();
  private readonly awaitingContinue = new WeakSet<IncomingMessage>();
  private readonly connections = new Map<Listener, OpenConnections>();
  private onRefusal: OnRefusal = () => undefined;
  private stopping = false;

  constructor(
    private readonly config: ConnectionSettings,
    private readonly deadlines = DEADLINES,
  ) {}

  /** From now on, refusals are reported. */
  tellRefusals(onRefusal: OnRefusal): void {
    this.onRefusal = onRefusal;
  }

  /** Fastify's `serverFactory`: creates both servers over the one handler, and returns the public one. */
  create(handler: RequestListener): Server {
    this.createServer('internal', handler);
    return this.createServer('public', handler);
  }

  listenerOf(request: IncomingMessage): Listener {
    return this.internalRequests.has(request) ? 'internal' : 'public';
  }

  /** The application's path and query for a request: see `resolveAddress`. */
  readonly addressOf = (request: IncomingMessage): string =>
    resolveAddress(request.url ?? '', this.listenerOf(request)) ?? NOWHERE;

  /** Whether the client waits for `100 Continue` before it sends its body. */
  expectsContinue(request: IncomingMessage): boolean {
    return this.awaitingContinue.has(request);
  }

  /** Lets a client that waits send its body. */
  continue(request: IncomingMessage, response: ServerResponse): void {
    if (this.awaitingContinue.delete(request)) response.writeContinue();
  }

  /** Whether a connection ends with its answer (P-8). */
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

  /**
   * Stops accepting; requests in flight have `graceMs` to finish, then their connections are destroyed (P-8). So have
   * those that are on their way on a connection that was just used: it is ended a moment later. Until here no connection
   * ends with its answer: clients would connect anew, and the system resets what nobody has accepted by now.
   */
  async close(graceMs: number): Promise<void> {
    this.stopping = true;
    const closed = [...this.servers.values()].map(
      (server) =>
        new Promise<void>((resolve) => {
          stopAccepting(server, resolve);
        }),
    );
    const usedMs = performance.now() - GRACE_MS;
    this.endIdle(({ since }) => since < usedMs);
    const idle = setTimeout(() => {
      this.endIdle(() => true);
    }, this.deadlines.last);
    const deadline = setTimeout(() => {
      for (const { socket } of this.open()) socket.destroy();
    }, graceMs);
    await Promise.all(closed);
    clearTimeout(idle);
    clearTimeout(deadline);
  }

  private endIdle(isLong: (connection: Connection) => boolean): void {
    for (const connection of this.open()) if (!connection.isBusy && isLong(connection)) connection.socket.destroy();
  }

  private createServer(listener: Listener, handler: RequestListener): Server {
    const open = new OpenConnections(this.config.MAX_CONNECTIONS);
    const server = createServer({
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: this.config.KEEP_ALIVE_SECONDS * 1_000,
      headersTimeout: this.deadlines.head,
      connectionsCheckingInterval: this.deadlines.head / 2,
      // A large import may take any time; `read-body.ts` limits the time of every other body.
      requestTimeout: 0,
      // Node's own refusal has no body; `checkHost` sends the error object.
      requireHostHeader: false,
    });
    server.maxHeadersCount = MOST_HEADERS;
    const take = (request: IncomingMessage, response: ServerResponse): void => {
      if (listener === 'internal') this.internalRequests.add(request);
      if (request.httpVersionMinor === 0) resetIfCutShort(request.socket, response);
      // A client that pipelines has one answer at most.
      if (open.of(request.socket)?.begin(request, response) !== true) {
        request.socket.destroy();
        return;
      }
      response.once('close', () => {
        if (this.stopping) request.socket.destroySoon();
      });
      handler(request, response);
    };
    server.on('request', take);
    server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      this.awaitingContinue.add(request);
      take(request, response);
    });
    // Any other expectation may be ignored (RFC 9110 10.1.1).
    server.on('checkExpectation', take);
    server.on('connect', (_request: IncomingMessage, socket: Socket) => {
      answerConnect(socket, open.of(socket));
    });
    server.on('connection', (socket: Socket) => {
      if (!open.admit(socket)) this.turnAway('connections', socket);
    });
    server.setTimeout(this.deadlines.answer, (socket: Socket) => {
      this.minded(socket, open.of(socket));
    });
    server.on('clientError', (error: Error, socket: Socket) => {
      answerMalformed(error, socket, open.of(socket));
    });
    this.servers.set(listener, server);
    this.connections.set(listener, open);
    return server;
  }

  /** Nothing has passed through the connection for a while. */
  private minded(socket: Socket, connection: Connection | undefined): void {
    if (connection?.isBusy !== true) socket.destroy();
    else if (socket.writableLength === 0) socket.setTimeout(this.deadlines.answer);
    else this.turnAway('unread-answer', socket);
  }

  private turnAway(refusal: Parameters<OnRefusal>[0], socket: Socket): void {
    // A destroyed socket has no address.
    this.onRefusal(refusal, socket.remoteAddress ?? 'unknown');
    socket.destroy();
  }

  private open(): readonly Connection[] {
    return [...this.connections.values()].flatMap((open) => [...open]);
  }

  private server(listener: Listener): Server {
    const server = this.servers.get(listener);
    if (server === undefined) throw new Error('the servers are made by Fastify, through create()');
    return server;
  }
}

/**
 * Over HTTP/1.0 the end of the connection is that of an answer without a length. An answer that is broken off ends with
 * a reset instead, as its client would take the part for the whole (G-12).
 */
function resetIfCutShort(socket: Socket, response: ServerResponse): void {
  const destroy = socket.destroy.bind(socket);
  const isCutShort = (): boolean => response.headersSent && !response.writableFinished;
  socket.destroy = (error) => {
    socket.destroy = destroy;
    return isCutShort() ? socket.resetAndDestroy() : destroy(error);
  };
  response.once('close', () => {
    socket.destroy = destroy;
  });
}

/** Calls back when the last connection has ended. Node's own `close` would end idle ones at once. */
function stopAccepting(server: Server, done: () => void): void {
  NetServer.prototype.close.call(server, done);
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

/** A listener on all addresses is reached on the loopback one. */
function urlOf({ address, family, port }: AddressInfo): string {
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}
