import { asError, type ServiceError } from '../../kernel/errors/service-error.js';

export interface Bounds {
  /** Total weight at a time. One client gets at most one less, so that another finds a place; of one, it gets one. */
  readonly atOnce: number;
  /** Concurrent weight of one client, if lower. */
  readonly ofOne?: number;
  readonly mostWaiting: number;
}

interface Waiting {
  readonly weight: number;
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
}

export class QueueFull extends Error {
  constructor() {
    super('the queue is full');
    this.name = 'QueueFull';
  }
}

/**
 * The next turn goes to the client with the least running, round-robin among equals. No client gets the last place
 * . When the queue is full, the longest line gives way. Work weighs 1, or its bytes, up to one client's share.
 */
export class FairQueue {
  private total = 0;
  private readonly running = new Map<string, number>();
  /** By client, in order of turns; no line is empty. */
  private readonly lines = new Map<string, Waiting[]>();
  private readonly mostOfOne: number;
  private inLine = 0;

  constructor(private readonly bounds: Bounds) {
    this.mostOfOne = Math.max(1, Math.min(bounds.ofOne ?? Infinity, bounds.atOnce - 1));
  }

  get waiting(): number {
    return this.inLine;
  }

  /** Waiting work that would begin with enough places, within each client's share. */
  get wanted(): number {
    let wanted = 0;
    for (const [client, line] of this.lines) wanted += Math.min(line.length, this.mostOfOne - this.runningOf(client));
    return wanted;
  }

  /** Fails with `QueueFull` without room, and with the signal's reason on abort before its turn. */
  async run<T>(client: string, signal: AbortSignal, work: () => Promise<T>, weight = 1): Promise<T> {
    signal.throwIfAborted();
    const taken = Math.min(weight, this.mostOfOne);
    // No waiting client has a right to this place.
    if (this.hasPlaceFor(client, taken)) this.begin(client, taken);
    else await this.turn(client, signal, taken);
    try {
      return await work();
    } finally {
      this.end(client, taken);
    }
  }

  hasPlaceFor(client: string, wanted = 1): boolean {
    const weight = Math.min(wanted, this.mostOfOne);
    return (
      this.total + weight <= this.bounds.atOnce &&
      this.mayHaveMore(client, weight) &&
      // Lighter work does not overtake, or heavy work would wait for ever.
      (this.inLine === 0 || (!this.lines.has(client) && this.fairest() === undefined))
    );
  }

  private mayHaveMore(client: string, weight = 1): boolean {
    return this.runningOf(client) + weight <= this.mostOfOne;
  }

  private begin(client: string, weight: number): void {
    this.total += weight;
    this.running.set(client, this.runningOf(client) + weight);
  }

  private end(client: string, weight: number): void {
    this.total -= weight;
    const left = this.runningOf(client) - weight;
    if (left === 0) this.running.delete(client);
    else this.running.set(client, left);
    this.beginWhatFits();
  }

  /** One freed place may serve several, and its client again. */
  private beginWhatFits(): void {
    for (let next = this.fairest(); next !== undefined; next = this.fairest()) {
      if (this.total + this.weightOf(next) > this.bounds.atOnce) return;
      this.beginFirstOf(next);
    }
  }

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

  /** Refuses the latest of the longest line; among equals, of the one that has just grown. */
  private refuseOne(latest: string): void {
    let longest = latest;
    for (const [client, line] of this.lines) if (line.length > this.lengthOf(longest)) longest = client;
    const last = this.lines.get(longest)?.at(-1);
    if (last === undefined) return;
    this.leave(longest, last);
    last.refuse(new QueueFull());
  }

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

export interface Patience {
  readonly waitMs: number;
  readonly tooMany: () => ServiceError;
}

interface Turn extends Patience {
  readonly hungUp?: AbortSignal;
  readonly weight?: number;
}

const NEVER = new AbortController().signal;

/** Throws `tooMany()` without a turn in time, and the reason of `hungUp`. */
export async function turnInTime<T>(
  turns: FairQueue,
  client: string,
  { waitMs, hungUp, tooMany, weight }: Turn,
  work: () => Promise<T>,
): Promise<T> {
  // Most work begins at once.
  if (turns.hasPlaceFor(client, weight)) return turns.run(client, hungUp ?? NEVER, work, weight);
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
