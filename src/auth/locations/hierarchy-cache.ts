import { Inject, Injectable } from '@nestjs/common';

import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { Followed } from '../../platform/database/connection/followed.js';
import type { Connections } from '../../platform/database/pools/connections.js';
import { ControlDatabase } from '../../platform/database/pools/control-database.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { KnownPlaces } from './known-places.js';
import { readKnownPlaces } from './read-known-places.js';

/**
 * The current places and their hierarchy, in memory. It is empty until the change feed has started and read them;
 * whatever has changed is read again whenever a process announces a change.
 */
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

  /** Every place with its versions. Await `current()` before. */
  get places(): KnownPlaces {
    return this.known;
  }

  /** Resolves when the hierarchy is up to date: at once, or after reading it while changes are not followed. */
  current(): Promise<void> {
    return this.changes.current();
  }

  /**
   * Whether this is the id of a location, active or not: false for an administrative area and for an unknown id. `id`
   * is in lower case. Await `current()` before.
   */
  isLocation(id: string): boolean {
    return this.known.hierarchy.kindOf(id) === 'location';
  }

  /** The place and everything below it; nothing for an unknown one (S-9). */
  below(id: string): readonly Uuid[] {
    return this.known.hierarchy.below(id);
  }

  /** Whether the place is the area or lies below it; false for unknown ones (S-9). */
  isWithin(place: string, area: string): boolean {
    return this.known.hierarchy.isWithin(place, area);
  }

  /** What contains the place, the nearest first. */
  ancestors(id: string): readonly Uuid[] {
    return this.known.hierarchy.ancestors(id);
  }

  /** Reads the hierarchy again; it then includes everything committed before the call. */
  refresh(): Promise<void> {
    return this.changes.refresh();
  }
}
