interface Bounds {
  /** How much work is done at a time. */
  readonly atOnce: number;
  /** How much more may wait for its turn. */
  readonly mostWaiting: number;
}

interface Waiting {
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
 * Does so much at a time, and takes what waits from one client after the other: how many searches a client has waiting
 * delays its own, nobody else's. When the queue is full it is the longest line that has to give way.
 */
export class FairQueue {
  private running = 0;
  /** By client, in the order of their turns; no line is empty. */
  private readonly lines = new Map<string, Waiting[]>();

  constructor(private readonly bounds: Bounds) {}

  get waiting(): number {
    return [...this.lines.values()].reduce((sum, line) => sum + line.length, 0);
  }

  /**
   * Does the work when it is its turn. Fails with `QueueFull` when there is no room for it, and with the signal's reason
   * when that aborts before.
   */
  async run<T>(client: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.running >= this.bounds.atOnce) await this.turn(client, signal);
    else this.running += 1;
    try {
      return await work();
    } finally {
      this.next();
    }
  }

  /** Whoever ends hands its place on. */
  private next(): void {
    for (const [client, line] of this.lines) {
      const first = line.shift();
      this.lines.delete(client);
      if (line.length > 0) this.lines.set(client, line);
      first?.begin();
      return;
    }
    this.running -= 1;
  }

  private turn(client: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abandon = (): void => {
        this.leave(client, waiting);
        reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
      };
      const waiting: Waiting = {
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
      this.lines.set(client, [...(this.lines.get(client) ?? []), waiting]);
      if (this.waiting > this.bounds.mostWaiting) this.refuseOne(client);
    });
  }

  private leave(client: string, waiting: Waiting): void {
    const left = (this.lines.get(client) ?? []).filter((one) => one !== waiting);
    if (left.length === 0) this.lines.delete(client);
    else this.lines.set(client, left);
  }

  /** The latest of the longest line; of lines that are as long, the one that has just grown. */
  private refuseOne(latest: string): void {
    let longest = latest;
    for (const [client, line] of this.lines) if (line.length > this.lengthOf(longest)) longest = client;
    const last = this.lines.get(longest)?.at(-1);
    if (last === undefined) return;
    this.leave(longest, last);
    last.refuse(new QueueFull());
  }

  private lengthOf(client: string): number {
    return this.lines.get(client)?.length ?? 0;
  }
}
