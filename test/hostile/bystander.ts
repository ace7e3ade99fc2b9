import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** Whom to ask, and for what. */
export interface BystanderOrders {
  readonly publicUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly recordId: string;
}

/** What a bystander saw in a while. */
export interface Lap {
  readonly p99Ms: number;
  readonly lookUps: number;
  /** `found`, or a status or what kept an answer from coming, and how often. */
  readonly outcomes: Readonly<Record<string, number>>;
}

/** A client that must not notice an attack: `bystander-process.ts`. */
export class Bystander {
  private readonly laps: AsyncIterator<string, undefined>;

  private constructor(private readonly child: ChildProcessByStdio<Writable, Readable, null>) {
    this.laps = createInterface(child.stdout)[Symbol.asyncIterator]();
  }

  static start(orders: BystanderOrders): Bystander {
    const program = resolve('test/hostile/bystander-process.ts');
    const child = spawn(process.execPath, ['--import', 'tsx', program], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.write(`${JSON.stringify(orders)}\n`);
    return new Bystander(child);
  }

  /** What it saw since it was last asked, the look-up included that is on its way. */
  async lap(): Promise<Lap> {
    this.child.stdin.write('lap\n');
    const line: IteratorResult<string, undefined> = await this.laps.next();
    if (line.done === true) throw new Error('the bystander has ended');
    return JSON.parse(line.value) as Lap;
  }

  stop(): void {
    this.child.stdin.end();
  }
}
