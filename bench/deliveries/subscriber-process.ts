import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { createTestAuthority } from '../../test/support/scripted-subscriber-certificates.js';
import type { Arrivals, FromSubscriber, ToSubscriber } from './subscriber.js';

const SUBSCRIBER = fileURLToPath(new URL('subscriber.ts', import.meta.url));

/** The process of the subscribers, with the authority that their certificate comes from. */
export class SubscriberProcess {
  private constructor(
    private readonly child: ChildProcess,
    /** PEM. */
    readonly authority: string,
    private readonly port: number,
    private readonly mortalPort: number,
  ) {}

  static async start(): Promise<SubscriberProcess> {
    const authority = createTestAuthority();
    const child = fork(SUBSCRIBER, { execArgv: ['--import', 'tsx'] });
    const listening = await ask(child, { kind: 'listen', ...authority.issue(['127.0.0.1']) });
    if (listening.kind !== 'listening') throw new Error('the subscribers do not listen');
    return new SubscriberProcess(child, authority.certificate, listening.port, listening.mortalPort);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** It takes `answerMs` for its answer. */
  healthy(number: number, answerMs = 0): string {
    return `https://127.0.0.1:${this.port}/hook/${number}${answerMs === 0 ? '' : `?ms=${answerMs}`}`;
  }

  get hanging(): string {
    return `https://127.0.0.1:${this.port}/hanging`;
  }

  /** There is nobody at it after `die`. */
  get mortal(): string {
    return `https://127.0.0.1:${this.mortalPort}/mortal`;
  }

  async die(): Promise<void> {
    await ask(this.child, { kind: 'die' });
  }

  /** What came since it was taken the last time, by path. */
  take(): Promise<Readonly<Record<string, Arrivals>>> {
    return this.arrivals('take');
  }

  /** The same, without latencies; it can still be taken. */
  look(): Promise<Readonly<Record<string, Arrivals>>> {
    return this.arrivals('look');
  }

  private async arrivals(kind: 'take' | 'look'): Promise<Readonly<Record<string, Arrivals>>> {
    const taken = await ask(this.child, { kind });
    return taken.kind === 'taken' ? taken.arrivals : {};
  }

  stop(): void {
    this.child.disconnect();
  }
}

async function ask(child: ChildProcess, message: ToSubscriber): Promise<FromSubscriber> {
  const answered = once(child, 'message') as Promise<[FromSubscriber]>;
  child.send(message);
  return (await answered)[0];
}
