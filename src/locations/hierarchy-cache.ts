import { Injectable } from '@nestjs/common';

import { ChangeFeed } from '../database/change-feed.js';
import { Database } from '../database/database.js';
import type { Uuid } from '../domain/uuid.js';
import { Hierarchy } from './hierarchy.js';
import { readPlaces } from './read-places.js';

/**
 * The hierarchy as it stands now, in memory. It is empty until the change feed has started, which reads it; it is read
 * again whenever a process announces a change.
 */
@Injectable()
export class HierarchyCache {
  private hierarchy = new Hierarchy([]);
  private begun = 0;
  private shown = 0;

  constructor(
    private readonly database: Database,
    feed: ChangeFeed,
  ) {
    feed.on('places_changed', () => this.refresh());
  }

  /** The place and everything below it; nothing for an unknown one (S-9). */
  below(id: string): readonly Uuid[] {
    return this.hierarchy.below(id);
  }

  /** Whether the place is the area or lies below it; false for unknown ones (S-9). */
  isWithin(place: string, area: string): boolean {
    return this.hierarchy.isWithin(place, area);
  }

  /** What contains the place, the nearest first. */
  ancestors(id: string): readonly Uuid[] {
    return this.hierarchy.ancestors(id);
  }

  /** Reads the hierarchy again. Of readings that overlap, the one that began last is kept. */
  async refresh(): Promise<void> {
    const turn = ++this.begun;
    const places = await readPlaces(this.database);
    if (turn < this.shown) return;
    this.shown = turn;
    this.hierarchy = new Hierarchy(places);
  }
}
