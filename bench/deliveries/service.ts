import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

import { Pool } from 'undici';

const SECRETS_KEY = Buffer.alloc(32, 'bench').toString('base64');
const TOKEN_SECONDS = '86400';

export interface ServiceOptions {
  /** Where `main.js` and `cli/main.js` are. */
  readonly dist: string;
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
  /** PEM: where the subscribers' certificate comes from. */
  readonly authority: string;
  /** `WEBHOOK_MAX_IN_FLIGHT_PER_SUBSCRIPTION`. */
  readonly inFlight: number;
  /** Given to Node before the program, such as `--cpu-prof`. */
  readonly nodeOptions: readonly string[];
}

export interface Client {
  readonly clientId: string;
  readonly shaSecret: string;
  readonly token: string;
}

/** The built program as a process of its own. */
export class Service {
  private constructor(
    readonly pid: number,
    private readonly publicSide: Pool,
    private readonly internalSide: Pool,
    private readonly options: ServiceOptions,
    private readonly token: string,
    private readonly end: () => Promise<void>,
  ) {}

  static async start(options: ServiceOptions): Promise<Service> {
    const program = [...options.nodeOptions, resolve(join(options.dist, 'main.js'))];
    const child = spawn(process.execPath, program, {
      cwd: tmpdir(),
      env: { ...environment(options), PORT: '0', INTERNAL_PORT: '0', NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    process.once('exit', () => child.kill('SIGKILL'));
    const lines = createInterface(child.stdout);
    const [publicUrl, internalUrl] = await new Promise<[string, string]>((found, failed) => {
      lines.on('line', (line) => {
        const entry = JSON.parse(line) as { msg: string; level: string; publicUrl: string; internalUrl: string };
        if (entry.msg === 'listening') found([entry.publicUrl, entry.internalUrl]);
        else if (entry.level !== 'info') process.stderr.write(`${line}\n`);
      });
      lines.once('close', () => {
        failed(new Error('the service did not start'));
      });
    });
    const token = await run(options, 'token', '--role', 'national-system-admin', '--ttl', TOKEN_SECONDS);
    const [publicSide, internalSide] = [publicUrl, internalUrl].map((url) => new Pool(url, { connections: 64 }));
    if (publicSide === undefined || internalSide === undefined) throw new Error('there are two sides');
    return new Service(child.pid ?? 0, publicSide, internalSide, options, token.trim(), async () => {
      await Promise.all([publicSide.close(), internalSide.close()]);
      child.kill('SIGTERM');
      await ended;
    });
  }

  /** A client that may subscribe, and as HEALTH notify. */
  async register(scope = 'NATIONAL_ID'): Promise<Client> {
    const registered = await this.internal('/registerSystemClient', { scope });
    const client = JSON.parse(registered) as Record<'client_id' | 'client_secret' | 'sha_secret', string>;
    const { client_id, client_secret } = client;
    const granted = await ask(this.publicSide, '/auth/token', {
      grant_type: 'client_credentials',
      client_id,
      client_secret,
    });
    const { access_token: token } = JSON.parse(granted) as { access_token: string };
    return { clientId: client_id, shaSecret: client.sha_secret, token };
  }

  async subscribe({ token, shaSecret }: Client, callback: string): Promise<void> {
    const hub = { callback, mode: 'subscribe', topic: 'BIRTH_REGISTERED', secret: shaSecret };
    await ask(this.publicSide, '/webhooks', { hub }, token);
  }

  async setActive({ clientId: client_id }: Client, active: boolean): Promise<void> {
    await this.internal(active ? '/reactivateSystemClient' : '/deactivateSystemClient', { client_id });
  }

  /** Tells of a birth that was registered. */
  async trigger(document: object): Promise<void> {
    await this.internal('/trigger/events/birth/actions/register', document);
  }

  /** Creates an event and notifies it. */
  async notify({ token }: Client, notification: object): Promise<void> {
    await ask(this.publicSide, '/events/notify', notification, token);
  }

  /** The access token of a user with these scopes. */
  async userToken(scopes: readonly string[]): Promise<string> {
    const of = ['--subject', 'registrar', '--ttl', TOKEN_SECONDS];
    return (await run(this.options, 'token', ...scopes.flatMap((scope) => ['--scope', scope]), ...of)).trim();
  }

  /** Takes an action of a user on an event; yields the answer. */
  act(token: string, path: string, body: object): Promise<string> {
    return ask(this.publicSide, path, body, token);
  }

  /** For searches that are not audited. */
  get administrator(): Pick<Client, 'token'> {
    return { token: this.token };
  }

  async search({ token }: Pick<Client, 'token'>, body: object): Promise<void> {
    await ask(this.publicSide, '/events/search', body, token);
  }

  /** Imports a file of administrative areas and locations. */
  async importLocations(file: string): Promise<void> {
    await run(this.options, 'import', 'locations', file);
  }

  /** Answered without the database. */
  async isAlive(): Promise<void> {
    const { body } = await this.publicSide.request({ path: '/health/live', method: 'GET' });
    await body.dump();
  }

  /** Imports a file of event documents, and publishes what is new. */
  async import(file: string): Promise<void> {
    await run(this.options, 'import', 'records', file, '--publish');
  }

  stop(): Promise<void> {
    return this.end();
  }

  private internal(path: string, body: object): Promise<string> {
    return ask(this.internalSide, path, body, this.token);
  }
}

async function ask(side: Pool, path: string, body: object, token?: string): Promise<string> {
  const answer = await side.request({
    path,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const received = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode} ${received}`);
  return received;
}

/** The standard output of a command that does what it is told. */
async function run(options: ServiceOptions, ...arguments_: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [resolve(join(options.dist, 'cli/main.js')), ...arguments_], {
    cwd: tmpdir(),
    env: environment(options),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const [output, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`matricula ${arguments_.join(' ')} ended with ${String(code)}: ${complaints}`);
  return output;
}

const environment = ({ databaseUrl, redisUrl, authority, inFlight }: ServiceOptions): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  DATABASE_URL: databaseUrl,
  SECRETS_KEY,
  ALLOW_LONG_TOKENS: 'true',
  HOST: '127.0.0.1',
  INTERNAL_HOST: '127.0.0.1',
  WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  WEBHOOK_CA: authority,
  WEBHOOK_MAX_IN_FLIGHT_PER_SUBSCRIPTION: String(inFlight),
  ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
});
