import type { Pace } from './lane-pace.js';

/** Lanes that read what is due at a time: the database's connections are there for others, too. */
const MOST_AT_A_TIME = 4;

/** Turns at reading what is due: hundreds of lanes whose time is over at once must not take every connection (W-9). */
export class ReadTurns {
  private taken = 0;
  private readonly waiting: Readonly<Record<'quick' | 'others', (() => void)[]>> = { quick: [], others: [] };

  /** Runs `read` when there is a turn for it; lanes that answer soon go first. */
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
