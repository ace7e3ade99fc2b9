import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';

const PROGRAM = resolve('test/support/command-process.mjs');

/** What a command said, and how it ended. */
export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether the process has ended with it. */
  readonly isOver?: true;
}

/** Runs a command in a process that has run others before, or in a new one while these are busy. */
export async function runWarm(
  arguments_: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Said> {
  const idle = (globalThis.idleCommandLines ??= []);
  const child = idle.pop() ?? started();
  const ended = new AbortController();
  try {
    const answered = once(child, 'message', ended) as Promise<[Said]>;
    const exited = once(child, 'exit', ended).then(([code, signal]: (number | string | null)[]) => {
      throw new Error(`matricula ${arguments_.join(' ')} ended with ${String(code ?? signal)}, and did not say why`);
    });
    child.send({ arguments_, env });
    const [said] = await Promise.race([answered, exited]);
    if (said.isOver !== true) idle.push(child);
    return said;
  } finally {
    ended.abort();
  }
}

/** It lives as long as the worker, and keeps it from ending no more than that. */
function started(): ChildProcess {
  const child = fork(PROGRAM, {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
  });
  child.unref();
  child.channel?.unref();
  return child;
}
