import { asError } from '../../kernel/errors/as-error.js';
import type { ServiceError } from '../../kernel/errors/service-error.js';

/** How much runs and waits. */
export interface Bounds {
  /**
   * How much work runs at a time, by its weight. One client gets at most one less, so that another finds a place; if it
   * is one, it is one.
   */
  readonly atOnce: number;
  /** How much of one client runs at a time, if that is less. */
  readonly ofOne?: number;
  /** How many more may wait for their turn. */
  readonly mostWaiting: number;
}

interface Waiting {
  readonly weight: number;
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
}

/** The queue has no room for this work. */
export class QueueFull extends Error {
  constructor() {
    super('the queue is full');
    this.name = 'QueueFull';
  }
}

/**
 * Runs a limited amount of work at a time. The next turn goes to the client with the least running, and among equals to
 * one after the other: a client's load delays its own work, and that of others by one turn at most. No client gets the
 * last place. When the queue is full, the longest line gives way. Work weighs 1, or as much as it says, such as
 * its bytes; what weighs more than one client may have is taken for that much.
 */
export class FairQueue {
  private total = 0;
  /** The weights by client; none is zero. */
  private readonly running = new Map<string, number>();
  /** By client, in the order of their turns; no line is empty. */
  private readonly lines = new Map<string, Waiting[]>();
  private readonly mostOfOne: number;
  private inLine = 0;

  constructor(private readonly bounds: Bounds) {
    this.mostOfOne = Math.max(1, Math.min(bounds.ofOne ?? Infinity, bounds.atOnce - 1));
  }

  get waiting(): number {
    return this.inLine;
  }

  /** How much would begin if there were places for all: what waits, but not behind as much of its client as may run. */
  get wanted(): number {
    let wanted = 0;
    for (const [client, line] of this.lines) wanted += Math.min(line.length, this.mostOfOne - this.runningOf(client));
    return wanted;
  }

  /**
   * Runs the work in its turn. Fails with `QueueFull` when there is no room for it, and with the signal's reason when
   * it aborts before the turn.
   */
  async run<T>(client: string, signal: AbortSignal, work: () => Promise<T>, weight = 1): Promise<T> {
    signal.throwIfAborted();
    const taken = Math.min(weight, this.mostOfOne);
    // If there is a place for this client, no waiting client has a right to it.
    if (this.hasPlaceFor(client, taken)) this.begin(client, taken);
    else await this.turn(client, signal, taken);
    try {
      return await work();
    } finally {
      this.end(client, taken);
    }
  }

  /** Whether work of this client would begin at once. */
  hasPlaceFor(client: string, weight = 1): boolean {
    return (
      this.total + weight <= this.bounds.atOnce &&
      this.mayHaveMore(client, weight) &&
      // What waits and is too heavy now would wait for ever if lighter work went before it.
      (this.inLine === 0 || (!this.lines.has(client) && this.fairest() === undefined))
    );
  }

  /** Whether less work of this client runs than may. */
  mayHaveMore(client: string, weight = 1): boolean {
    return this.runningOf(client) + weight <= this.mostOfOne;
  }

  private begin(client: string, weight: number): void {
    this.total += weight;
    this.running.set(client, this.runningOf(client) + weight);
  }

  /** Passes the place of finished work on. */
  private end(client: string, weight: number): void {
    this.total -= weight;
    const left = this.runningOf(client) - weight;
    if (left === 0) this.running.delete(client);
    else this.running.set(client, left);
    this.beginWhatFits();
  }

  /** The place of one may be that of several, and the client that gives it back may have another turn. */
  private beginWhatFits(): void {
    for (let next = this.fairest(); next !== undefined; next = this.fairest()) {
      if (this.total + this.weightOf(next) > this.bounds.atOnce) return;
      this.beginFirstOf(next);
    }
  }

  /** The client whose turn is next; undefined while each that waits has as much as it may. */
  private fairest(): string | undefined {
    let found: string | undefined;
    for (const client of this.lines.keys()) {
      if (!this.mayHaveMore(client, this.weightOf(client))) continue;
      if (this.runningOf(client) === 0) return client;
      if (found === undefined || this.runningOf(client) < this.runningOf(found)) found = client;
    }
    return found;
  }

  private beginFirstOf(client: string): void {
    const line = this.lines.get(client) ?? [];
    const first = line.shift();
    if (first === undefined) return;
    this.inLine -= 1;
    this.lines.delete(client);
    if (line.length > 0) this.lines.set(client, line);
    this.begin(client, first.weight);
    first.begin();
  }

  private turn(client: string, signal: AbortSignal, weight: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const abandon = (): void => {
        this.leave(client, waiting);
        reject(asError(signal.reason));
      };
      const waiting: Waiting = {
        weight,
        begin: () => {
          signal.removeEventListener('abort', abandon);
          resolve();
        },
        refuse: (error) => {
          signal.removeEventListener('abort', abandon);
          reject(error);
        },
      };
      signal.addEventListener('abort', abandon, { once: true });
      const line = this.lines.get(client);
      if (line === undefined) this.lines.set(client, [waiting]);
      else line.push(waiting);
      this.inLine += 1;
      if (this.inLine > this.bounds.mostWaiting) this.refuseOne(client);
    });
  }

  private leave(client: string, waiting: Waiting): void {
    const left = (this.lines.get(client) ?? []).filter((one) => one !== waiting);
    this.inLine -= 1;
    if (left.length === 0) this.lines.delete(client);
    else this.lines.set(client, left);
    this.beginWhatFits();
  }

  /** Refuses the latest of the longest line; among equally long lines, of the one that has just grown. */
  private refuseOne(latest: string): void {
    let longest = latest;
    for (const [client, line] of this.lines) if (line.length > this.lengthOf(longest)) longest = client;
    const last = this.lines.get(longest)?.at(-1);
    if (last === undefined) return;
    this.leave(longest, last);
    last.refuse(new QueueFull());
  }

  /** That of the first in a client's line. */
  private weightOf(client: string): number {
    return this.lines.get(client)?.[0]?.weight ?? 0;
  }

  private lengthOf(client: string): number {
    return this.lines.get(client)?.length ?? 0;
  }

  private runningOf(client: string): number {
    return this.running.get(client) ?? 0;
  }
}

interface Patience {
  /** How long the work waits for its turn. */
  readonly waitMs: number;
  /** Aborts when nobody waits for the answer any more. */
  readonly hungUp?: AbortSignal;
  /** What is thrown if there is no room for the work, or it has waited too long. */
  readonly tooMany: () => ServiceError;
  /** How much of the queue the work takes, if it is not one place. */
  readonly weight?: number;
}

/** Runs the work in its turn, if that comes in time; throws `tooMany()`, or the reason of `hungUp`, if it does not. */
export async function turnInTime<T>(
  turns: FairQueue,
  client: string,
  { waitMs, hungUp, tooMany, weight }: Patience,
  work: () => Promise<T>,
): Promise<T> {
  const late = AbortSignal.timeout(waitMs);
  const signal = hungUp === undefined ? late : AbortSignal.any([hungUp, late]);
  const turn = { hasCome: false };
  try {
    const begun = (): Promise<T> => {
      turn.hasCome = true;
      return work();
    };
    return await turns.run(client, signal, begun, weight);
  } catch (error) {
    if (!turn.hasCome && hungUp?.aborted !== true && (error instanceof QueueFull || late.aborted)) throw tooMany();
    throw error;
  }
}
