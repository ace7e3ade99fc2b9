import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';

import { Pool } from 'undici';

import { cpuSeconds } from '../deliveries/cpu-time.js';
import { memoryOf } from './memory-of.js';
import type { Memory } from './memory-of.js';
import type { Target } from './program.js';
import { outputOf, startServe } from './program.js';

const SEARCH = '/api/events/events/search';
const START_MS = 120_000;
const READY_POLL_MS = 20;
/** Longer than any run. */
const TOKEN_SECONDS = 86_400;

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** The `Link` header. */
  readonly link: string | undefined;
  readonly ms: number;
}

/** What a start took. */
export interface StartFound {
  /** Seconds from the start of the process until `/health/ready` answers 200. */
  readonly readySeconds: number;
  /** Seconds until a fuzzy search was answered, for which the words of all names are read. */
  readonly fuzzySeconds: number;
  /** Seconds of the processor that the process had taken then. */
  readonly processorSeconds: number;
  /** Megabytes of RAM that it had then. */
  readonly megabytes: number;
}

/** The built program as a process of its own, asked over HTTP from this one. */
export class Service {
  private constructor(
    readonly pid: number,
    private readonly publicSide: Pool,
    private readonly internalSide: Pool,
    private readonly token: string,
    private readonly program: { readonly target: Target; readonly end: () => Promise<void> },
    readonly started: StartFound,
  ) {}

  /**
   * Starts it and waits until it is ready and has read the names. `connections` is how many requests can be on their
   * way at a time.
   */
  static async start(target: Target, connections = 32): Promise<Service> {
    const token = await tokenOf(target, 'bench');
    const began = performance.now();
    const secondsSince = (): number => (performance.now() - began) / 1_000;
    const child = startServe(target);
    const ended = once(child, 'exit');
    child.stderr.resume();
    // It ends with the benchmark, however that ends.
    process.once('exit', () => child.kill('SIGKILL'));
    const { publicUrl, internalUrl } = await listening(createInterface(child.stdout));
    // What it logs of every request is read, as a collector of logs would, and thrown away.
    child.stdout.resume();
    const [publicSide, internalSide] = [new Pool(publicUrl, { connections }), new Pool(internalUrl, { connections })];
    const pid = child.pid ?? 0;
    const end = async (): Promise<void> => {
      await Promise.all([publicSide.close(), internalSide.close()]);
      child.kill('SIGTERM');
      await ended;
    };
    await ready(internalSide);
    const readySeconds = secondsSince();
    await postedAs(token, publicSide, SEARCH, {
      query: { clauses: [{ data: { type: 'fuzzy', term: 'ready' } }] },
      limit: 0,
    });
    const fuzzySeconds = secondsSince();
    const started = {
      readySeconds,
      fuzzySeconds,
      processorSeconds: await cpuSeconds([pid]),
      megabytes: memoryOf(pid)?.now ?? NaN,
    };
    return new Service(pid, publicSide, internalSide, token, { target, end }, started);
  }

  search(body: object): Promise<Answer> {
    return this.ask(this.publicSide, SEARCH, body);
  }

  /** Tells of an event of which an action was accepted. */
  trigger(type: string, action: string, body: object): Promise<Answer> {
    return this.ask(this.internalSide, `/trigger/events/${type}/actions/${action}`, body);
  }

  /** The longest stretch for which its event loop was held since this was last asked. */
  async longestStretchMs(): Promise<number> {
    return 1_000 * Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await this.metrics())?.[1]);
  }

  /** What Prometheus would read of it. */
  async metrics(): Promise<string> {
    const answer = await this.internalSide.request({ path: '/metrics', method: 'GET' });
    return answer.body.text();
  }

  /** The same program as so many administrators see it. */
  asAdministrators(count: number): Promise<Service[]> {
    const as = async (number: number): Promise<Service> =>
      this.as(await tokenOf(this.program.target, `administrator ${number}`));
    return Promise.all(Array.from({ length: count }, (_, number) => as(number)));
  }

  /**
   * The same program as so many system clients of its own see it: their searches are audited, an administrator's are
   * not.
   */
  asSystemClients(count: number): Promise<Service[]> {
    return Promise.all(Array.from({ length: count }, () => this.asSystemClient()));
  }

  get memory(): Memory {
    return memoryOf(this.pid) ?? { now: 0, peak: 0 };
  }

  stop(): Promise<void> {
    return this.program.end();
  }

  private async asSystemClient(): Promise<Service> {
    const registered = await this.ask(this.internalSide, '/registerSystemClient', { scope: 'RECORD_SEARCH' });
    const { client_id, client_secret } = JSON.parse(registered.body) as Record<'client_id' | 'client_secret', string>;
    const body = { client_id, client_secret, grant_type: 'client_credentials' };
    const granted = await this.ask(this.publicSide, '/auth/token', body);
    const { access_token: token } = JSON.parse(granted.body) as { readonly access_token: string };
    return this.as(token);
  }

  private as(token: string): Service {
    return new Service(this.pid, this.publicSide, this.internalSide, token, this.program, this.started);
  }

  private ask(side: Pool, path: string, body: object): Promise<Answer> {
    return postedAs(this.token, side, path, body);
  }
}

async function postedAs(token: string, side: Pool, path: string, body: object): Promise<Answer> {
  const askedMs = performance.now();
  const answer = await side.request({
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  const received = await answer.body.text();
  const { link } = answer.headers;
  return {
    status: answer.statusCode,
    body: received,
    link: typeof link === 'string' ? link : undefined,
    ms: performance.now() - askedMs,
  };
}

async function ready(internalSide: Pool): Promise<void> {
  const until = performance.now() + START_MS;
  while (performance.now() < until) {
    const answer = await internalSide.request({ path: '/health/ready', method: 'GET' });
    await answer.body.dump();
    if (answer.statusCode === 200) return;
    await setTimeout(READY_POLL_MS);
  }
  throw new Error('the service was not ready in time');
}

const tokenOf = async (target: Target, subject: string): Promise<string> => {
  const of = ['--role', 'national-system-admin', '--subject', subject, '--ttl', String(TOKEN_SECONDS)];
  return (await outputOf(target, 'token', ...of)).trim();
};

interface Addresses {
  readonly publicUrl: string;
  readonly internalUrl: string;
}

function listening(lines: ReturnType<typeof createInterface>): Promise<Addresses> {
  return new Promise((found, failed) => {
    lines.on('line', (line) => {
      const entry = JSON.parse(line) as Addresses & { readonly msg: string };
      if (entry.msg !== 'listening') return;
      lines.removeAllListeners();
      lines.close();
      found(entry);
    });
    lines.once('close', () => {
      failed(new Error('the service ended before it listened'));
    });
    const tooLate = (): void => {
      failed(new Error('the service did not listen in time'));
    };
    void setTimeout(START_MS, undefined, { ref: false }).then(tooLate);
  });
}
