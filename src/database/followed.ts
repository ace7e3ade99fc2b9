import type { ChangeFeed, Channel } from './connection/change-feed.js';
import { Refresher } from './refresher.js';

/**
 * Something of the database that is kept in memory, and of whose changes processes tell each other. `load` reads it again:
 * after each announcement, when the feed is made anew, and whenever it is needed while nothing is heard of changes, so that
 * what was changed elsewhere is never overlooked (Q-4, G-3).
 */
export class Followed {
  private readonly refresher: Refresher;

  constructor(
    private readonly feed: ChangeFeed,
    channel: Channel,
    load: () => Promise<void>,
  ) {
    this.refresher = new Refresher(load);
    feed.on(channel, () => this.refresh());
  }

  /**
   * Done when what is in memory may be used: at once while changes are followed, after it was read again otherwise. Whoever
   * comes meanwhile shares one reading. Throws when the database cannot be asked.
   */
  async current(): Promise<void> {
    if (!this.feed.isFollowing) await this.refresh();
  }

  /** Reads it again; what was committed before the call is known when it is done. */
  refresh(): Promise<void> {
    return this.refresher.refresh();
  }
}
