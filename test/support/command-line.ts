import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { endedWithFile } from './left-over.js';
import { runWarm } from './warm-command-line.js';

/** What `npx matricula` runs; `npm test` builds it first. */
const PROGRAM = resolve('dist/src/cli/main.js');

type Variables = Readonly<Record<string, string>>;

export interface CommandResult {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A `SECRETS_KEY` for the processes of one test. */
export const aSecretsKey = (): string => randomBytes(32).toString('base64');

/** Writes files for commands to read into a directory; yields their paths. */
export const filesIn =
  (directory: () => string) =>
  async (name: string, content: string | Uint8Array): Promise<string> => {
    const path = join(directory(), name);
    await writeFile(path, content);
    return path;
  };

/** Runs `matricula <arguments>` to its end, in a process of its own, with nothing in its environment but `env`. */
export async function matriculaAlone(arguments_: readonly string[], env: Variables = {}): Promise<CommandResult> {
  const child = startMatricula(arguments_, env);
  const ended = once(child, 'close') as Promise<[number | null]>;
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

/** The same in a process that has run other commands before: most of the time of a command is that of loading it. */
export async function matricula(arguments_: readonly string[], env: Variables = {}): Promise<CommandResult> {
  const { code, stdout, stderr } = await runWarm(arguments_, variablesOf(env));
  return { code, stdout, stderr };
}

/** The same for a command that must do what it was told; yields its standard output. */
export async function succeed(arguments_: readonly string[], env: Variables): Promise<string> {
  const { code, stdout, stderr } = await matricula(arguments_, env);
  if (code !== 0) throw new Error(`matricula ${arguments_.join(' ')} ended with ${String(code)}: ${stderr}`);
  return stdout;
}

const variablesOf = (env: Variables): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, NODE_ENV: 'test', ...env });

/** Starts it, in a directory without an `.env`. */
export function startMatricula(
  arguments_: readonly string[],
  env: Variables = {},
): ChildProcessByStdio<null, Readable, Readable> {
  const child = spawn(process.execPath, [PROGRAM, ...arguments_], {
    cwd: tmpdir(),
    env: variablesOf(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const killed = endedWithFile(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  child.once('exit', () => void killed());
  return child;
}
