import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

import { giveBack, takeProgram } from './idle-programs.js';

/** What `npm start` runs; `npm test` builds it first. */
const PROGRAM = resolve('dist/src/main.js');
/** What a reused process writes once a service has ended, before its exit code. */
const ENDED = 'ended ';

type Environment = Readonly<Record<string, string | undefined>>;

/** One run of the built service. */
export interface ServiceProcess {
  readonly process: ChildProcess;
  /** Resolves to its exit code, or to null where a signal has killed the process. */
  readonly ended: Promise<number | null>;
  /** Calls `listener` with each line of its log. */
  onLine(listener: (line: string) => void): void;
  /** What it has written to its standard error. */
  complaints(): string;
}

/** The service in a process of its own, as its users start it: to be killed, or to be measured. */
export function runService(env: Environment): ServiceProcess {
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines = createInterface(child.stdout);
  const { complaints } = listenTo(child.stderr);
  return { process: child, ended: exitOf(child), onLine: (listener) => lines.on('line', listener), complaints };
}

/** The service in a process in which others may have run before, and may run once it has ended well. */
export function runServiceAgain(env: Environment): ServiceProcess {
  const program = takeProgram();
  const { child, lines } = program;
  const { complaints, stop } = listenTo(child.stderr);
  const over = new AbortController();
  const log = new EventEmitter<{ line: [string] }>();
  const said = new Promise<number>((found) => {
    const listener = (line: string): void => {
      if (!line.startsWith(ENDED)) {
        log.emit('line', line);
        return;
      }
      lines.off('line', listener);
      giveBack(program);
      found(Number(line.slice(ENDED.length)));
    };
    lines.on('line', listener);
  });
  const ended = Promise.race([said, exitOf(child, over.signal)]).finally(() => {
    over.abort();
    stop();
  });
  child.send({ arguments_: ['serve'], env, isHeard: false });
  return { process: child, ended, onLine: (listener) => log.on('line', listener), complaints };
}

const exitOf = (child: ChildProcess, signal?: AbortSignal): Promise<number | null> =>
  once(child, 'exit', { signal }).then(([code]: (number | null)[]) => code ?? null);

/** Collects what is written to `stream`, until it is stopped. */
function listenTo(stream: Readable | null): { complaints: () => string; stop: () => void } {
  let written = '';
  const listener = (text: string): void => {
    written += text;
  };
  stream?.setEncoding('utf8').on('data', listener);
  return { complaints: () => written, stop: () => stream?.off('data', listener) };
}
