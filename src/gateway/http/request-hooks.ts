import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { AuthenticatedRequest } from '../../auth/access/decorators.js';
import type { AnswersInFlight } from '../../events/search/answers-in-flight.js';
import { KIB, MIB } from '../../kernel/domain/bytes.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import type { Metrics } from '../../platform/metrics/metrics.js';
import { hasLists, jsonInSlices } from '../../platform/queue/time-slice.js';
import type { OtherWork } from '../../platform/queue/other-work.js';
import { endWhenWithdrawn, type Withdrawals } from '../bearer/end-withdrawn-answers.js';
import { ERROR_MESSAGES } from '../errors/error-answer.js';
import { requestContexts } from '../monitoring/create-log.js';
import { faultOfHead, parseMediaType, PLAIN_JSON } from './fault-of-head.js';
import type { Listeners } from './listeners.js';
import type { RouteList } from './route-list.js';
import { bareAddress, leadOf, MOUNTS } from './routes.js';

/**
 * Writes answers that have lists, such as an event with its actions, with turns for others in between. Errors are
 * short, and those of addresses without a route know no serializer.
 */
export function answerInSlices(fastify: FastifyInstance): void {
  fastify.addHook('preSerialization', async (_request, { statusCode }, payload) =>
    statusCode < FIRST_ERROR && hasLists(payload) ? jsonInSlices(payload) : payload,
  );
  fastify.setReplySerializer(textOf);
}

const FIRST_ERROR = 400;

/** Fastify sends bytes as they are, and takes them for a text. */
const textOf = (payload: unknown): string =>
  Buffer.isBuffer(payload) ? (payload as unknown as string) : JSON.stringify(payload);

/** Shorter answers go to the connection at once; so many of each caller are permitted by the rate limit. */
export const LONGEST_UNHELD = 64 * KIB;

/**
 * Holds a long answer to a caller until its client has taken it, whatever its route. Streams are bounded by what
 * they have ahead, and who needs no token gets nothing but fixed documents, which must not take the room of others.
 * Throws 503 where there is no room.
 */
function holdAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  length: number,
  inFlight: Pick<AnswersInFlight, 'hold' | 'isHeld'>,
): void {
  const { caller } = request as Partial<AuthenticatedRequest>;
  if (caller !== undefined && !inFlight.isHeld(reply.raw)) inFlight.hold(caller.subject, length, reply.raw);
}

/** Headers as helmet sets them (G-7), made once for all answers. */
function securityHeaders(): OutgoingHttpHeaders {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const secure = helmet({
    // The page at /docs is served over plain http too, where browsers would then load its parts over https.
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
  });
  secure(response.req, response, (error) => {
    if (error !== undefined) throw new Error('the security headers could not be made', { cause: error });
  });
  return response.getHeaders();
}

const MOST_BYTES = 16 * MIB;
const MOST_MS = 5_000;

/**
 * Reads the rest of the body of a request that is answered before it is complete, so that a client that is still sending
 * sees the answer and can reuse the connection. After 16 MiB or 5 seconds the connection is closed.
 * The request must not be complete.
 */
function discardBody(request: IncomingMessage): void {
  if (request.destroyed) return;
  const { socket } = request;
  const destroySoon = socket.destroySoon.bind(socket);
  let answered = false;
  // Node calls this after the last answer of a connection. Destroying a socket with unread data resets the connection,
  // and the reset can overtake the answer.
  socket.destroySoon = () => {
    answered = true;
    socket.end();
  };
  const deadline = setTimeout(() => socket.destroy(), MOST_MS);
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) socket.destroy();
  });
  request.once('close', () => {
    clearTimeout(deadline);
    socket.destroySoon = destroySoon;
    if (answered) destroySoon();
  });
  request.resume();
}

interface Observers {
  readonly metrics: Metrics;
  readonly otherWork: OtherWork;
  readonly log: Logger;
}

interface Watching {
  readonly inFlight: Pick<AnswersInFlight, 'hold' | 'isHeld'>;
  readonly withdrawals: Withdrawals;
}

interface Known {
  readonly listeners: Listeners;
  readonly routes: RouteList;
}

/** The status under which a request is counted if its client hung up before the answer; no client ever sees it. */
const CLIENT_CLOSED_REQUEST = 499;

/** Node warns of a leak above ten, which a stream alone nearly needs. */
const MOST_LISTENERS = 20;

const READS = new Set(['GET', 'HEAD']);

/** Counts and logs every request, and sets the headers of all answers. */
export function observeRequests(fastify: FastifyInstance, { metrics, otherWork, log }: Observers): void {
  const headers = securityHeaders();
  const durations = metrics.histogram('matricula_http_request_duration_seconds');
  fastify.addHook('onRequest', (request, reply, done) => {
    const context = { correlationId: request.id };
    const closed = durations.startTimer();
    reply.headers(headers);
    reply.header('x-correlation-id', request.id);
    // Fastify, the stream of a long answer and the service itself each want to know when it ends.
    reply.raw.setMaxListeners(MOST_LISTENERS);
    const ended = isOtherWork(request) ? otherWork.begin() : undefined;
    reply.raw.once('close', () => {
      ended?.();
      const seen = outcomeOf(request, reply);
      const seconds = closed(seen);
      log.info({ ...context, ...seen, ms: Math.round(seconds * 10_000) / 10, ...callerOf(request) }, 'request');
    });
    requestContexts.run(context, done);
  });
}

/**
 * Checks the head of every request before anything answers it, except for CORS preflights, which check it themselves.
 */
export function checkHeads(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    done(faultOfHead(request.raw));
  });
}

/** Checks every request before its route, and adds headers to its answer. */
export function checkRequests(fastify: FastifyInstance, { listeners, routes }: Known): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    // Fastify would answer 415 before the caller is checked (G-2).
    const type = request.raw.headers['content-type'];
    if (type !== undefined && type !== PLAIN_JSON && parseMediaType(type) === undefined) {
      request.raw.headers['content-type'] = 'application/x-unreadable';
    }
    const lead = READS.has(request.method) ? leadOf(request.originalUrl) : undefined;
    if (lead !== undefined) void reply.redirect(lead, 308);
    else if (isUnknown(request, routes)) done(unknownAddress(pathOf(request), routes));
    else done();
  });

  fastify.addHook('onSend', (request, reply, payload, done) => {
    // Answers concern persons, or contain tokens.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    // A body that was not asked for may come or not: nobody can tell where the next request begins.
    const isUnasked = listeners.expectsContinue(request.raw);
    if (isUnasked || listeners.closing) reply.header('connection', 'close');
    if (!isUnasked && !request.raw.complete) discardBody(request.raw);
    done(null, payload);
  });
}

/** Holds whole answers that take long to send, and watches streams. */
export function watchLongAnswers(fastify: FastifyInstance, { inFlight, withdrawals }: Watching): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    try {
      if (payload instanceof Readable) endWhenWithdrawn(request, reply, withdrawals);
      else if (isWhole(payload) && payload.length > LONGEST_UNHELD)
        holdAnswer(request, reply, payload.length, inFlight);
    } catch (error) {
      done(error as Error);
      return;
    }
    done(null, payload);
  });
}

const isWhole = (payload: unknown): payload is string | Buffer =>
  typeof payload === 'string' || Buffer.isBuffer(payload);

/** Whether a request is neither for a route of auth nor for one of the service itself. */
const isOtherWork = ({ is404, method, routeOptions: { url = '' } }: FastifyRequest): boolean =>
  !is404 && method !== 'OPTIONS' && !url.startsWith(`/${MOUNTS.auth}/`) && !url.startsWith(`/${MOUNTS.gateway}/`);

function outcomeOf(request: FastifyRequest, reply: FastifyReply): { method: string; route: string; status: number } {
  const { url } = request.routeOptions;
  return {
    method: request.method,
    route: url === undefined ? 'unknown' : labelOf(url),
    status: reply.raw.writableFinished ? reply.raw.statusCode : CLIENT_CLOSED_REQUEST,
  };
}

/** By the patterns of routes, as the router has them. */
const LABELS = new Map<string, string>();

/** A route in the log and in metrics. */
function labelOf(pattern: string): string {
  const known = LABELS.get(pattern);
  if (known !== undefined) return known;
  const label = bareAddress(pattern);
  LABELS.set(pattern, label);
  return label;
}

function callerOf(request: FastifyRequest & Partial<AuthenticatedRequest>): { caller?: string } {
  return request.caller === undefined ? {} : { caller: request.caller.subject };
}

function isUnknown(request: FastifyRequest, routes: RouteList): boolean {
  const { is404, method, params, routeOptions } = request;
  // Only a route with parameters, or one that Fastify made for HEAD, takes requests that are not for it.
  const isInDoubt = method === 'HEAD' || Object.keys(params as object).length > 0;
  // A preflight of CORS has been answered by now.
  return (
    is404 ||
    method === 'OPTIONS' ||
    (isInDoubt && routes.isMistaken({ method, path: routeOptions.url ?? '' }, pathOf(request)))
  );
}

/** The path of the application that a request is for. */
const pathOf = ({ raw }: FastifyRequest): string => (raw.url ?? '').split('?', 1)[0] ?? '';

/** The fault of a request without a route: its method (405, with those of the path) or its address (404). */
function unknownAddress(path: string, routes: RouteList): ServiceError {
  const methods = routes.methodsOf(path);
  return methods.length === 0
    ? new ServiceError('NOT_FOUND', ERROR_MESSAGES.NOT_FOUND)
    : new ServiceError('METHOD_NOT_ALLOWED', ERROR_MESSAGES.METHOD_NOT_ALLOWED, {
        headers: { allow: methods.join(', ') },
      });
}
