import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { Interface } from 'node:readline';
import { createInterface } from 'node:readline';

const PROGRAM = resolve('test/support/programs-in-turn.mjs');

/** A process in which commands and services of the built program run one after the other. */
export interface IdleProgram {
  readonly child: ChildProcess;
  /** Of its standard output. */
  readonly lines: Interface;
}

/** One that has run others before, or a new one while these are busy. */
export function takeProgram(): IdleProgram {
  return globalThis.idlePrograms?.pop() ?? started();
}

/** For the next one: what ran in it has ended well. */
export function giveBack(program: IdleProgram): void {
  (globalThis.idlePrograms ??= []).push(program);
}

/** It lives as long as the worker, and keeps it from ending no more than that. */
function started(): IdleProgram {
  const child = spawn(process.execPath, [PROGRAM], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('the process has no output');
  child.unref();
  child.channel?.unref();
  for (const stream of [stdout, stderr]) if (stream instanceof Socket) stream.unref();
  stderr.setEncoding('utf8').resume();
  return { child, lines: createInterface(stdout) };
}
