import { Inject, Injectable } from '@nestjs/common';

import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { Followed } from '../../platform/database/connection/followed.js';
import type { Connections } from '../../platform/database/pools/connections.js';
import { ControlDatabase } from '../../platform/database/pools/pools.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { KnownPlaces } from './known-places.js';
import { readKnownPlaces } from './read-known-places.js';

/** Caches places and hierarchy; empty until the change feed starts. Each announced change triggers a read. */
@Injectable()
export class HierarchyCache {
  private known = new KnownPlaces(new Map());
  private readonly changes: Followed;

  constructor(@Inject(ControlDatabase) database: Connections, feed: ChangeFeed) {
    this.changes = new Followed(feed, 'places_changed', async () => {
      this.known = await readKnownPlaces(database, this.known);
    });
    feed.on('place_versions_changed', () => this.changes.refresh());
  }

  /** Await `current()` before. */
  get places(): KnownPlaces {
    return this.known;
  }

  /** Resolves when up to date: at once, or after a read while the change feed is down. */
  current(): Promise<void> {
    return this.changes.current();
  }

  /** Active or not. `id` is in lower case. Await `current()` before. */
  isLocation(id: string): boolean {
    return this.known.hierarchy.kindOf(id) === 'location';
  }

  /** Includes the place; empty for an unknown one (S-9). */
  below(id: string): readonly Uuid[] {
    return this.known.hierarchy.below(id);
  }

  /** True for the area itself; false for unknown ones (S-9). */
  isWithin(place: string, area: string): boolean {
    return this.known.hierarchy.isWithin(place, area);
  }

  /** Nearest first. */
  ancestors(id: string): readonly Uuid[] {
    return this.known.hierarchy.ancestors(id);
  }

  /** Includes everything committed before the call. */
  refresh(): Promise<void> {
    return this.changes.refresh();
  }
}
