import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** The built program, and the database that it is to work on. */
export interface Target {
  /** Where `main.js` and `cli/main.js` are. */
  readonly dist: string;
  readonly databaseUrl: string;
  /** Streaming replicas of it that searches read from. */
  readonly replicaUrls?: readonly string[];
}

/** The benchmark's databases hold nothing that is secret, and are used by more than one process. */
const SECRETS_KEY = Buffer.alloc(32, 'bench').toString('base64');

type Running = ChildProcessByStdio<null, Readable, Readable>;

/** Starts `matricula <arguments>`, in a directory without an `.env`. */
export const startCommand = ({ dist, ...database }: Target, ...arguments_: readonly string[]): Running =>
  spawn(process.execPath, [resolve(join(dist, 'cli/main.js')), ...arguments_], {
    cwd: tmpdir(),
    env: environment(database),
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Starts `matricula serve` on free ports. */
export const startServe = ({ dist, ...database }: Target): Running =>
  spawn(process.execPath, [resolve(join(dist, 'main.js'))], {
    cwd: tmpdir(),
    env: {
      ...environment(database),
      PORT: '0',
      INTERNAL_PORT: '0',
      NODE_ENV: 'production',
      // Limits of memory, which the benchmark itself is given too.
      NODE_OPTIONS: process.env.NODE_OPTIONS,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** The standard output of a command that does what it is told. */
export async function outputOf(target: Target, ...arguments_: readonly string[]): Promise<string> {
  const child = startCommand(target, ...arguments_);
  const ended = once(child, 'close');
  const [output, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`matricula ${arguments_.join(' ')} ended with ${String(code)}: ${complaints}`);
  return output;
}

const environment = ({ databaseUrl, replicaUrls = [] }: Omit<Target, 'dist'>): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  DATABASE_URL: databaseUrl,
  DATABASE_REPLICA_URLS: replicaUrls.join(','),
  SECRETS_KEY,
  ALLOW_LONG_TOKENS: 'true',
  HOST: '127.0.0.1',
  INTERNAL_HOST: '127.0.0.1',
});
