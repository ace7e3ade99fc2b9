import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';

import { OpenApiCheck } from './openapi-check.js';
import { endedWithFile } from './left-over.js';
import type { TestDatabase } from './postgres.js';
import { createTestDatabase } from './postgres.js';
import type { ServiceProcess } from './service-process.js';
import { runService, runServiceAgain } from './service-process.js';
import { HANG_MS } from './time-outs.js';
import { TokenIssuer } from './token-issuer.js';

/** One line of the service's log. */
export type LogLine = Readonly<Record<string, unknown>>;

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body, parsed; undefined when it is not JSON. */
  readonly json: unknown;
}

interface Ask {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as it is; anything but text or bytes as JSON, with its `Content-Type`. */
  readonly body?: unknown;
  readonly token?: string;
  /** `public` when it is not said. */
  readonly listener?: 'public' | 'internal';
}

/** The built program, running on a database of its own. */
export interface RunningApplication {
  readonly publicUrl: string;
  readonly internalUrl: string;
  readonly database: TestDatabase;
  /** Makes tokens that the service accepts. */
  readonly issuer: TokenIssuer;
  readonly process: ChildProcess;
  /** Everything logged so far. */
  readonly log: readonly LogLine[];
  /** Asks, with the path as it is written, and checks the answer against the service's OpenAPI document (G-9). */
  request(method: string, path: string, ask?: Ask): Promise<Answer>;
  /** Registers a system client, as `registerSystemClient` says. */
  registerClient(scope: string): Promise<{ clientId: string; clientSecret: string; shaSecret: string; token: string }>;
  /** Ends the program, which must end well, and removes its own database. */
  stop(): Promise<void>;
}

interface Start {
  readonly env?: Readonly<Record<string, string>>;
  /** A database that outlives the service; without it the service gets one of its own. */
  readonly database?: TestDatabase;
  /** Whether it gets a process of its own: to be killed, or where `NODE_OPTIONS` are a part of `env`. */
  readonly ownProcess?: boolean;
}

/** Starts the service on free ports, with `env` on top of what tests need. */
export async function startApplication({
  env = {},
  database: given,
  ownProcess = 'NODE_OPTIONS' in env,
}: Start = {}): Promise<RunningApplication> {
  const database = given ?? (await createTestDatabase());
  const dropOwn = async (): Promise<void> => {
    if (given === undefined) await database.drop();
  };
  // One key for all services of a worker: to find two primes takes longer than a usual test.
  const issuer = (globalThis.serviceIssuer ??= new TokenIssuer());
  const run = ownProcess ? runService : runServiceAgain;
  const ran = run({
    PATH: process.env.PATH,
    NODE_ENV: 'test',
    PORT: '0',
    INTERNAL_PORT: '0',
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: '4',
    SECRETS_KEY: randomBytes(32).toString('base64'),
    JWT_PRIVATE_KEY: issuer.pem,
    ...env,
  });
  let isOver = false;
  void ran.ended.then(() => {
    isOver = true;
  });
  const killed = endedWithFile(async () => {
    if (!isOver) ran.process.kill('SIGKILL');
    await ran.ended;
  });
  const log: LogLine[] = [];
  const urls = await listening(ran, log).catch(async (error: unknown) => {
    await killed();
    await dropOwn();
    throw new Error(`the service did not start: ${ran.complaints()}`, { cause: error });
  });

  const ask = (method: string, path: string, given: Ask = {}): Promise<Answer> =>
    send(given.listener === 'internal' ? urls.internalUrl : urls.publicUrl, method, path, given);
  const document = await ask('GET', '/openapi.json', { listener: 'internal' });
  const check = OpenApiCheck.of(document.body);

  const running: RunningApplication = {
    ...urls,
    database,
    issuer,
    process: ran.process,
    log,
    request: async (method, path, given) => {
      const answer = await ask(method, path, given);
      check.check({
        method,
        path,
        status: answer.status,
        contentType: answer.headers['content-type'],
        headers: answer.headers,
        body: answer.body,
      });
      return answer;
    },
    registerClient: async (scope) => {
      const token = await issuer.token();
      const registered = await running.request('POST', '/registerSystemClient', {
        listener: 'internal',
        token,
        body: { scope },
      });
      const client = registered.json as { client_id: string; client_secret: string; sha_secret: string };
      const granted = await running.request('POST', '/token', {
        body: {
          client_id: client.client_id,
          client_secret: client.client_secret,
          grant_type: 'client_credentials',
        },
      });
      return {
        clientId: client.client_id,
        clientSecret: client.client_secret,
        shaSecret: client.sha_secret,
        token: (granted.json as { access_token: string }).access_token,
      };
    },
    stop: async () => {
      if (!isOver) ran.process.kill('SIGTERM');
      const code = await ran.ended;
      await killed();
      await dropOwn();
      if (code !== 0) throw new Error(`the service ended with ${String(code)}: ${ran.complaints()}`);
    },
  };
  return running;
}

/** The addresses that the service says it listens at. Its log goes on into `log`. */
async function listening(ran: ServiceProcess, log: LogLine[]): Promise<{ publicUrl: string; internalUrl: string }> {
  return new Promise((found, failed) => {
    ran.onLine((line) => {
      const entry = JSON.parse(line) as LogLine;
      log.push(entry);
      if (entry.msg === 'listening') found(entry as { publicUrl: string; internalUrl: string });
    });
    void ran.ended.then(() => {
      failed(new Error('it ended'));
    });
    setTimeout(failed, HANG_MS, new Error(`it did not listen within ${HANG_MS} ms`)).unref();
  });
}

function send(base: string, method: string, path: string, { headers = {}, body, token }: Ask): Promise<Answer> {
  const { hostname, port } = new URL(base);
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const payload = body === undefined ? undefined : isRaw ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
  return new Promise((answered, failed) => {
    const sent = httpRequest(
      {
        host: hostname,
        port,
        method,
        path,
        agent: false,
        headers: {
          ...(payload !== undefined && !('transfer-encoding' in headers) && { 'content-length': payload.length }),
          ...(payload !== undefined && !isRaw && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(headers as Record<string, string | string[]>),
        },
      },
      (response) => {
        text(response).then((received) => {
          answered({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: received,
            json: parsed(received),
          });
        }, failed);
      },
    );
    sent.on('error', failed);
    sent.end(payload);
  });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
