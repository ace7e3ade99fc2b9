import { QueueFull } from '../../platform/queue/fair-queue.js';

export interface Waiting {
  readonly client: string;
  readonly eventId: string;
  /** In bytes. */
  readonly size: number;
  readonly refuse: (error: Error) => void;
}

interface Bounds {
  readonly mostWaiting: number;
  readonly mostBytes: number;
}

export interface Portion {
  readonly most: number;
  readonly mostBytes: number;
  /** Whether a command above `mostBytes` may be taken. */
  readonly mayBeHeavy: boolean;
}

/**
 * One queue per client, taken round robin. When full, the longest queue, or the one with the most bytes, loses a
 * command.
 */
export class WaitingCommands<T extends Waiting> {
  /** In the order of turns; no queue is empty. */
  private readonly lines = new Map<string, T[]>();
  private waiting = 0;
  private bytes = 0;

  constructor(private readonly bounds: Bounds) {}

  get count(): number {
    return this.waiting;
  }

  /** In bytes, in total. */
  get size(): number {
    return this.bytes;
  }

  add(command: T): void {
    const line = this.lines.get(command.client);
    if (line === undefined) this.lines.set(command.client, [command]);
    else line.push(command);
    this.waiting += 1;
    this.bytes += command.size;
    const { mostWaiting, mostBytes } = this.bounds;
    while (this.waiting > mostWaiting) this.refuseOne(command.client, lengthOf);
    while (this.bytes > mostBytes) this.refuseOne(command.client, bytesOf);
  }

  /** False if the command no longer waits. */
  leave(command: T): boolean {
    const line = this.lines.get(command.client);
    const at = line?.indexOf(command) ?? -1;
    if (line === undefined || at < 0) return false;
    this.remove(command.client, line, at);
    return true;
  }

  /**
   * At most one per event, none if `isBusy`. A command above `mostBytes` goes alone, before its client's later ones.
   */
  take({ most, mostBytes, mayBeHeavy }: Portion, isBusy: (eventId: string) => boolean): T[] {
    const taken: T[] = [];
    const events = new Set<string>();
    let bytes = 0;
    const fits = ({ size }: T): boolean => size <= mostBytes || (mayBeHeavy && taken.length === 0);
    for (let progress = true; progress;) {
      progress = false;
      for (const client of [...this.lines.keys()]) {
        if (taken.length >= most || bytes >= mostBytes) return taken;
        const next = this.takeFirst(client, ({ eventId }) => !events.has(eventId) && !isBusy(eventId), fits);
        if (next === undefined) continue;
        taken.push(next);
        events.add(next.eventId);
        bytes += next.size;
        progress = true;
      }
    }
    return taken;
  }

  /** The client moves to the end, unless its first free command must wait. */
  private takeFirst(client: string, isFree: (command: T) => boolean, fits: (command: T) => boolean): T | undefined {
    const line = this.lines.get(client) ?? [];
    const at = line.findIndex(isFree);
    const found = line[at];
    if (found === undefined || !fits(found)) return undefined;
    this.remove(client, line, at);
    if (line.length > 0) {
      this.lines.delete(client);
      this.lines.set(client, line);
    }
    return found;
  }

  /** Its latest command; on a tie, of the one that just grew. */
  private refuseOne(latest: string, amountOf: (line: readonly T[]) => number): void {
    let client = latest;
    let most = amountOf(this.lines.get(latest) ?? []);
    for (const [another, line] of this.lines) {
      const amount = amountOf(line);
      if (amount > most) [client, most] = [another, amount];
    }
    const line = this.lines.get(client) ?? [];
    const last = line.at(-1);
    if (last === undefined) throw new Error('there is nothing to refuse');
    this.remove(client, line, line.length - 1);
    last.refuse(new QueueFull());
  }

  private remove(client: string, line: T[], at: number): void {
    for (const { size } of line.splice(at, 1)) this.bytes -= size;
    this.waiting -= 1;
    if (line.length === 0) this.lines.delete(client);
  }
}

const lengthOf = (line: readonly Waiting[]): number => line.length;
const bytesOf = (line: readonly Waiting[]): number => line.reduce((sum, { size }) => sum + size, 0);
