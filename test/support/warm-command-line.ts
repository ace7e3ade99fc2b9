import { once } from 'node:events';

import { giveBack, takeProgram } from './idle-programs.js';

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
  const program = takeProgram();
  const { child } = program;
  const ended = new AbortController();
  try {
    const answered = once(child, 'message', ended) as Promise<[Said]>;
    const exited = once(child, 'exit', ended).then(([code, signal]: (number | string | null)[]) => {
      throw new Error(`matricula ${arguments_.join(' ')} ended with ${String(code ?? signal)}, and did not say why`);
    });
    child.send({ arguments_, env, isHeard: true });
    const [said] = await Promise.race([answered, exited]);
    if (said.isOver !== true) giveBack(program);
    return said;
  } finally {
    ended.abort();
  }
}
