import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { Socket } from 'node:net';
import { resolve } from 'node:path';
import type { Interface } from 'node:readline';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** What `npm start` runs; `npm test` builds it first. */
const PROGRAM = resolve('dist/main.js');
const REUSED = resolve('test/support/services-in-turn.mjs');
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

/** A process in which services run one after the other. */
export interface ReusedProcess {
  readonly child: ChildProcess;
  readonly lines: Interface;
}

/** The service in a process of its own, as its users start it: to be killed, or to be measured. */
export function runService(env: Environment): ServiceProcess {
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines = createInterface(child.stdout);
  const { complaints } = listenTo(child.stderr);
  return { process: child, ended: exitOf(child), onLine: (listener) => lines.on('line', listener), complaints };
}

/** The service in a process in which others may have run before, and will run once it has ended well. */
export function runServiceAgain(env: Environment): ServiceProcess {
  const idle = (globalThis.idleServices ??= []);
  const reused = idle.pop() ?? startedProcess();
  const { child, lines } = reused;
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
      idle.push(reused);
      found(Number(line.slice(ENDED.length)));
    };
    lines.on('line', listener);
  });
  const ended = Promise.race([said, exitOf(child, over.signal)]).finally(() => {
    over.abort();
    stop();
  });
  child.send(env);
  return { process: child, ended, onLine: (listener) => log.on('line', listener), complaints };
}

/** It lives as long as the worker, and keeps it from ending no more than that. */
function startedProcess(): ReusedProcess {
  const child = spawn(process.execPath, [REUSED], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('the process has no output');
  child.unref();
  child.channel?.unref();
  for (const stream of [stdout, stderr]) if (stream instanceof Socket) stream.unref();
  return { child, lines: createInterface(stdout) };
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
