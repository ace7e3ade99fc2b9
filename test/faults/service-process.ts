import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** What `npm start` runs; `npm run test:faults` builds it first. */
const PROGRAM = resolve('dist/src/main.js');
const START_MS = 100_000;
const STOP_MS = 100_000;
const KEPT_COMPLAINTS = 40;
const KEPT_MESSAGES = 2_000;
const COMPLAINTS = ['warn', 'error', 'fatal'];

type Variables = Readonly<Record<string, string>>;

interface Addresses {
  readonly publicUrl: string;
  readonly internalUrl: string;
}

/** The built program as a process that is started, killed and started again. */
export class ServiceProcess {
  private child: ChildProcess | undefined;
  private exited: Promise<unknown> = Promise.resolve();
  private addresses: Addresses | undefined;
  /** How far its clock was ahead when it began to listen, as its log has it. */
  clockOffMs = 0;
  /** Warnings and worse, and whatever was written that is no log line: the latest ones. */
  private readonly complaints: string[] = [];
  /** The latest messages of its log. */
  private readonly messages: string[] = [];

  constructor(private readonly environment: Variables) {}

  /** Where it listens; undefined while it does not run. Every start takes ports of its own. */
  get urls(): Addresses | undefined {
    return this.addresses;
  }

  get latestComplaints(): string {
    return this.complaints.join('\n');
  }

  /** What its log says, the latest last. */
  get latestMessages(): readonly string[] {
    return this.messages;
  }

  /** Resolves when it listens. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [PROGRAM], {
      env: { PATH: process.env.PATH, NODE_ENV: 'test', PORT: '0', INTERNAL_PORT: '0', ...this.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    // A run that is ended while it starts one must not leave it behind.
    const end = (): boolean => child.kill('SIGKILL');
    process.on('exit', end);
    this.exited = once(child, 'exit').then(() => {
      this.addresses = undefined;
      process.off('exit', end);
    });
    createInterface(child.stderr).on('line', (line) => {
      this.complain(line);
    });
    const listening = new Promise<void>((found) => {
      createInterface(child.stdout).on('line', (line) => {
        const entry = JSON.parse(line) as {
          readonly level: string;
          readonly time: string;
          readonly msg?: string;
        } & Addresses;
        if (COMPLAINTS.includes(entry.level)) this.complain(line);
        this.messages.push(entry.msg ?? '');
        if (this.messages.length > KEPT_MESSAGES) this.messages.shift();
        if (entry.msg !== 'listening') return;
        this.clockOffMs = Date.parse(entry.time) - Date.now();
        this.addresses = { publicUrl: entry.publicUrl, internalUrl: entry.internalUrl };
        found();
      });
    });
    const late = new AbortController();
    await Promise.race([
      listening,
      this.exited.then(() => this.fail('ended while it was starting')),
      sleep(START_MS, undefined, { signal: late.signal }).then(
        () => this.fail(`did not listen within ${START_MS} ms`),
        () => undefined,
      ),
    ]).finally(() => {
      late.abort();
    });
  }

  /** Ends it without a word. */
  async kill(): Promise<void> {
    this.child?.kill('SIGKILL');
    await this.exited;
  }

  /** Ends it as a service manager does. Throws unless it ends well. */
  async stop(): Promise<void> {
    const { child } = this;
    if (child === undefined || this.urls === undefined) return;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await this.exited;
    clearTimeout(timer);
    if (child.exitCode !== 0) this.fail(`ended with ${String(child.exitCode ?? child.signalCode)}`);
  }

  /** Whether it takes requests, and what it says of a part: `200, queue up`; `down` when it says nothing. */
  async readiness(part: 'queue' | 'database' = 'queue'): Promise<string> {
    try {
      const answer = await fetch(`${this.urls?.internalUrl ?? ''}/health/ready`);
      const { checks } = (await answer.json()) as { readonly checks: Readonly<Record<string, string>> };
      return `${answer.status}, ${part} ${checks[part] ?? 'unknown'}`;
    } catch {
      return 'down';
    }
  }

  private complain(line: string): void {
    if (line.trim() === '') return;
    this.complaints.push(line);
    if (this.complaints.length > KEPT_COMPLAINTS) this.complaints.shift();
  }

  private fail(how: string): never {
    throw new Error([`the service ${how}`, ...this.complaints].join('\n'));
  }
}
