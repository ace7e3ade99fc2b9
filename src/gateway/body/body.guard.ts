import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Reflector } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticatedRequest } from '../../auth/access/decorators.js';
import { KIB } from '../../kernel/domain/bytes.js';
import { absurd, ServiceError } from '../../kernel/errors/service-error.js';
import { Input, Notes } from '../../kernel/input/input.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { BODY_RULE, type BodyKind, type BodyRule, FORM_BYTES, NDJSON_TYPES } from '../../platform/dto/accepts.js';
import { Capacities } from '../../platform/queue/capacities.js';
import { hangUpOf } from '../../platform/queue/hang-up.js';
import { stepwise } from '../../platform/queue/time-slice.js';
import { ERROR_MESSAGES } from '../errors/error-answer.js';
import { handlerTakes } from '../http/url-keys.guard.js';
import { Listeners } from '../http/listeners.js';
import { parseMediaType, PLAIN_JSON } from '../http/fault-of-head.js';
import { BodyStream, readWhole, tooLarge } from './read-body.js';
import { decodeForm, jsonSteps, parseJson } from './parse-json.js';

/**
 * Refuses what stands in the body of a request to a route that reads none: it was meant for something (E-11). `{}` and
 * `null`, which client libraries send of themselves, are passed over. Throws 400 BAD_REQUEST.
 */
function requireNothing(body: unknown): void {
  if (body === null) return;
  const notes = new Notes();
  const given = Input.body(body, notes);
  if (given.isObject) given.refuseKeysBut([], () => 'is not taken: this request has no body');
  else given.refuse('must be absent: this request has no body');
  if (!notes.none) throw notes.toError();
}

const MEDIA_TYPES: Readonly<Record<BodyKind, readonly [string, ...string[]]>> = {
  json: [PLAIN_JSON],
  form: ['application/x-www-form-urlencoded'],
  'ndjson-stream': NDJSON_TYPES,
  'multipart-stream': ['multipart/form-data'],
};

/** Whether a request announces a body. RFC 9112 6.3. */
export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * How to read the body of a request. Without a `Content-Type` it is JSON if the route accepts that. Throws 415 for a
 * media type or content coding that the route does not accept (G-6).
 */
export function bodyKindOf(headers: IncomingHttpHeaders, { kinds }: BodyRule): BodyKind {
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'identity') {
    throw unsupported('must come without a content coding', { 'accept-encoding': 'identity' });
  }
  const header = headers['content-type'];
  const kind = header === undefined ? defaultKind(kinds) : kindOfHeader(header, kinds);
  if (kind === undefined) {
    throw unsupported(`must be ${kinds.map((each) => MEDIA_TYPES[each][0]).join(' or ')}, in UTF-8`);
  }
  return kind;
}

const defaultKind = (kinds: readonly BodyKind[]): BodyKind | undefined => (kinds.includes('json') ? 'json' : kinds[0]);

function kindOfHeader(header: string, kinds: readonly BodyKind[]): BodyKind | undefined {
  if (header === PLAIN_JSON && kinds.includes('json')) return 'json';
  const type = parseMediaType(header);
  return type === undefined ? undefined : kinds.find((kind) => MEDIA_TYPES[kind].includes(type));
}

const unsupported = (issue: string, headers: Readonly<Record<string, string>> = {}): ServiceError =>
  new ServiceError('UNSUPPORTED_MEDIA_TYPE', ERROR_MESSAGES.UNSUPPORTED_MEDIA_TYPE, {
    issues: [{ message: `body: ${issue}` }],
    headers,
  });

const DEFAULT_RULE: BodyRule = { kinds: ['json'], limit: 'BODY_LIMIT_BYTES' };
/** Smaller bodies are parsed in some tenths of a millisecond, and do not wait. */
const SMALL_BYTES = 16 * KIB;
const BODILESS = new Set(['GET', 'HEAD']);
/** Some clients send a body with each request. It means nothing there, whatever its type (G-6). */
const PASSED_OVER = new Set(['DELETE']);

/** Fastify reads no body: `BodyGuard` does, once the caller is known to be permitted. */
export function leaveBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, _payload, done) => {
    done(null);
  });
}

/**
 * Reads the body of a request into `request.body`, according to its route (`@Accepts`). It comes after the guards of
 * access, so nothing is read from a caller who may not call (G-2): first 413 and 415, then 400, also for a body of a
 * route that reads none. An interceptor would do as well, but each request would then pass through half a dozen
 * observables.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  /** By handler. */
  private readonly reading = new Map<object, boolean>();

  constructor(
    private readonly reflector: Reflector,
    private readonly listeners: Listeners,
    private readonly capacities: Capacities,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (!BODILESS.has(request.method) && hasBody(request.headers)) {
      const rule = this.reflector.get<BodyRule | undefined>(BODY_RULE, context.getHandler()) ?? DEFAULT_RULE;
      request.body = await this.read(request, context.switchToHttp().getResponse<FastifyReply>(), rule);
      if (!PASSED_OVER.has(request.method) && !this.isRead(context)) requireNothing(request.body);
    }
    return true;
  }

  /** Whether the route reads a body, or may. */
  private isRead(context: ExecutionContext): boolean {
    const handler = context.getHandler();
    const known = this.reading.get(handler);
    if (known !== undefined) return known;
    const isRead = handlerTakes(context, RouteParamtypes.BODY, RouteParamtypes.REQUEST);
    this.reading.set(handler, isRead);
    return isRead;
  }

  private limitOf({ limit }: BodyRule): number {
    if (typeof limit === 'number') return Math.min(limit, this.config.BODY_LIMIT_BYTES);
    return this.config[limit] + (limit === 'ATTACHMENT_LIMIT_BYTES' ? FORM_BYTES : 0);
  }

  private async read(request: FastifyRequest, reply: FastifyReply, rule: BodyRule): Promise<unknown> {
    const limitBytes = this.limitOf(rule);
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
    const kind = PASSED_OVER.has(request.method) ? 'passed-over' : bodyKindOf(request.headers, rule);
    const readInTurn = <T>(parse: (bytes: Buffer) => T | Promise<T>): Promise<T> =>
      this.readInTurn(request, reply, limitBytes, parse);
    switch (kind) {
      case 'json':
        return readInTurn(jsonOf);
      case 'passed-over':
        return readInTurn(() => undefined);
      case 'form':
        return readInTurn(decodeForm);
      case 'ndjson-stream':
      case 'multipart-stream':
        this.listeners.continue(request.raw, reply.raw);
        return new BodyStream(request.raw, limitBytes);
      default:
        return absurd(kind);
    }
  }

  /**
   * The body, parsed. Large ones of callers wait for room, and are then parsed one at a time. Without a token no
   * body is large, and strangers must not take the room of others.
   */
  private async readInTurn<T>(
    { caller, headers, raw }: FastifyRequest & Partial<AuthenticatedRequest>,
    reply: FastifyReply,
    limitBytes: number,
    parse: (bytes: Buffer) => T | Promise<T>,
  ): Promise<T> {
    const read = (): Promise<Buffer> => {
      this.listeners.continue(raw, reply.raw);
      return readWhole(raw, limitBytes);
    };
    const weight = Number(headers['content-length'] ?? limitBytes);
    if (caller === undefined || weight <= SMALL_BYTES || raw.complete) return parse(await read());
    const applicant = { client: caller.subject, hungUp: hangUpOf(reply) };
    return this.capacities.run('bodies', { ...applicant, weight }, async () => {
      const bytes = await read();
      return this.capacities.run('parsing', applicant, async () => {
        await setImmediate();
        return parse(bytes);
      });
    });
  }
}

const jsonOf = (bytes: Buffer): unknown =>
  bytes.length <= SMALL_BYTES ? parseJson(bytes) : stepwise(jsonSteps(bytes));
