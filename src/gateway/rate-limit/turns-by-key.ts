interface Bounds {
  /** How much work of one key runs at a time. */
  readonly atOnce: number;
  /** How much work may wait, of one key and of all keys. */
  readonly mostWaiting: number;
  readonly mostWaitingInAll: number;
  readonly mostWaitMs: number;
}

interface Key {
  running: number;
  readonly waiting: Set<() => void>;
}

/** Runs work for each key with limited concurrency, in order of arrival. */
export class TurnsByKey {
  private readonly keys = new Map<string, Key>();
  private waitingInAll = 0;

  constructor(private readonly bounds: Bounds) {}

  /** The result of `work`, once it had its turn. Throws `refusal()` if too many wait, or it has waited too long. */
  async run<T>(name: string, work: () => Promise<T>, refusal: () => Error): Promise<T> {
    const key = this.keys.get(name) ?? { running: 0, waiting: new Set() };
    this.keys.set(name, key);
    if (key.running < this.bounds.atOnce) key.running += 1;
    else await this.turn(key, refusal);
    try {
      return await work();
    } finally {
      this.handOn(name, key);
    }
  }

  /** Waits for a place passed on by finished work. */
  private turn(key: Key, refusal: () => Error): Promise<void> {
    const { mostWaiting, mostWaitingInAll, mostWaitMs } = this.bounds;
    if (key.waiting.size >= mostWaiting || this.waitingInAll >= mostWaitingInAll) return Promise.reject(refusal());
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(deadline);
        key.waiting.delete(enter);
        this.waitingInAll -= 1;
      };
      const enter = (): void => {
        leave();
        resolve();
      };
      const deadline = setTimeout(() => {
        leave();
        reject(refusal());
      }, mostWaitMs);
      key.waiting.add(enter);
      this.waitingInAll += 1;
    });
  }

  private handOn(name: string, key: Key): void {
    const [next] = key.waiting;
    if (next !== undefined) {
      next();
      return;
    }
    key.running -= 1;
    if (key.running === 0) this.keys.delete(name);
  }
}
