import type { Pace } from '../../../platform/outbox/pace.js';

/** How many lanes read due deliveries at a time: others need the database's connections too. */
const MOST_AT_A_TIME = 4;

/** Turns for reading due deliveries: hundreds of lanes that time out together must not take every connection (W-9). */
export class ReadTurns {
  private taken = 0;
  private readonly waiting: Readonly<Record<'quick' | 'others', (() => void)[]>> = { quick: [], others: [] };

  /** Runs `read` when it gets a turn; quick lanes go first. */
  async take<T>(pace: Pace, read: () => Promise<T>): Promise<T> {
    if (this.taken < MOST_AT_A_TIME) this.taken += 1;
    else await new Promise<void>((resolve) => this.waiting[pace === 'quick' ? 'quick' : 'others'].push(resolve));
    try {
      return await read();
    } finally {
      const next = this.waiting.quick.shift() ?? this.waiting.others.shift();
      if (next === undefined) this.taken -= 1;
      else next();
    }
  }
}
