import { randomBytes } from 'node:crypto';

import { CompactSign } from 'jose';
import { Agent, request } from 'undici';

import { MIB } from '../../src/kernel/domain/bytes.js';
import type { ServiceProcess } from '../faults/service-process.js';
import type { TokenIssuer } from '../support/token-issuer.js';

/** What became of a request: its status, or 0 where the connection ended without an answer. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

export interface Asked {
  readonly body?: string | object;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly listener?: 'public' | 'internal';
  readonly signal?: AbortSignal;
}

interface RegisteredClient {
  readonly client_id: string;
  readonly client_secret: string;
  readonly sha_secret: string;
}

export interface AttackingClient extends RegisteredClient {
  readonly token: string;
}

const PATIENCE_MS = 90_000;

/** The service under attack, and what an attacker has in hand: clients of his own, as many connections as he likes. */
export class Arena {
  private readonly dispatcher = new Agent({ headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS, connections: 256 });

  constructor(
    private readonly service: ServiceProcess,
    readonly issuer: TokenIssuer,
  ) {}

  /** The same service, reached by new connections: the server may be closing those of an earlier attack. */
  anew(): Arena {
    return new Arena(this.service, this.issuer);
  }

  get isAlive(): boolean {
    return this.service.urls !== undefined;
  }

  get publicUrl(): string {
    return this.addresses.publicUrl;
  }

  get internalUrl(): string {
    return this.addresses.internalUrl;
  }

  private get addresses() {
    const { urls } = this.service;
    if (urls === undefined) throw new Error('the service has died');
    return urls;
  }

  post(path: string, asked: Asked): Promise<Answer> {
    return this.ask('POST', path, asked);
  }

  async ask(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    path: string,
    { body = '', token, headers = {}, listener = 'public', signal }: Asked,
  ): Promise<Answer> {
    const begun = performance.now();
    const base = listener === 'public' ? this.publicUrl : this.internalUrl;
    try {
      const answer = await request(`${base}${path}`, {
        dispatcher: this.dispatcher,
        method,
        headers: {
          ...(method !== 'GET' && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(method !== 'GET' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        ...(signal !== undefined && { signal }),
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, text, ms: performance.now() - begun };
    } catch (error) {
      return { status: 0, text: String(error), ms: performance.now() - begun };
    }
  }

  search(client: { readonly token: string }, query: object, more: object = {}): Promise<Answer> {
    return this.post('/events/search', { token: client.token, body: { query, ...more } });
  }

  /** A system client of the attacker's. */
  async client(scope = 'HEALTH'): Promise<AttackingClient> {
    const token = await this.issuer.token();
    const registered = await this.post('/registerSystemClient', { body: { scope }, token, listener: 'internal' });
    only([registered], [201]);
    const client = JSON.parse(registered.text) as RegisteredClient;
    const { client_id, client_secret } = client;
    const body = { client_id, client_secret, grant_type: 'client_credentials' };
    const granted = await this.post('/auth/token', { body });
    only([granted], [200]);
    return { ...client, token: (JSON.parse(granted.text) as { access_token: string }).access_token };
  }

  /** What the service's log tells of somebody, the latest first: a development's log shows what users are sent. */
  said(of: string): readonly string[] {
    return this.service.latestMessages.filter((message) => message.includes(of)).toReversed();
  }

  /** A token that the service has signed, over any payload. */
  async sign(payload: string): Promise<string> {
    const header = await this.issuer.header();
    return new CompactSign(Buffer.from(payload))
      .setProtectedHeader({ ...header, alg: 'RS256' })
      .sign(this.issuer.privateKey);
  }

  /** The memory that the program holds by its own account, in megabytes: its heap and what hangs on it. */
  async heldMegabytes(): Promise<number> {
    const text = await (await fetch(`${this.internalUrl}/metrics`)).text();
    const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    return (value('nodejs_heap_size_used_bytes') + value('nodejs_external_memory_bytes')) / MIB;
  }
}

/** How often each status came, as `200: 3, 503: 1`. */
export function statuses(answers: readonly Answer[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');
}

/** Throws where an answer has a status that is not one of these. */
export function only(answers: readonly Answer[], allowed: readonly number[]): void {
  const wrong = answers.find(({ status }) => !allowed.includes(status));
  if (wrong !== undefined) throw new Error(`an answer was ${wrong.status}: ${wrong.text.slice(0, 300)}`);
}

/** Throws where no answer has the status: what is permitted is not to end in refusals alone. */
export function some(answers: readonly Answer[], status: number): void {
  if (!answers.some((answer) => answer.status === status))
    throw new Error(`none was answered ${status}: ${statuses(answers)}`);
}

export const aText = (): string => randomBytes(3).toString('hex');
export const texts = (count: number): string[] => Array.from({ length: count }, aText);
export const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
