import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';

import { Refresher } from '../database/refresher.js';
import { ChangeFeed } from '../database/change-feed.js';
import { Database } from '../database/database.js';
import type { Place } from '../domain/location.js';
import type { Uuid } from '../domain/uuid.js';
import { sql } from '../sql/sql.js';
import { Hierarchy } from './hierarchy.js';
import type { LocationsImported } from './import-locations.js';
import { importLocations } from './import-locations.js';

/** The hierarchy in memory, as it stands now (S-9): changed by this process at once, by others as the change feed tells. */
@Injectable()
export class HierarchyCache implements OnModuleInit {
  private hierarchy = new Hierarchy([]);
  private readonly refresher = new Refresher(() => this.load());

  constructor(
    private readonly database: Database,
    feed: ChangeFeed,
  ) {
    feed.on('places_changed', () => this.refresher.refresh());
  }

  onModuleInit(): Promise<void> {
    return this.refresher.refresh();
  }

  /** The place and everything below it; nothing for an unknown one. */
  below(id: string): readonly Uuid[] {
    return this.hierarchy.below(id);
  }

  /** Imports a locations file; the next search here goes by it. */
  async import(file: unknown): Promise<LocationsImported> {
    const imported = await importLocations(this.database, file);
    await this.refresher.refresh();
    return imported;
  }

  private async load(): Promise<void> {
    this.hierarchy = new Hierarchy(
      await this.database.query<Pick<Place, 'id' | 'partOf'>>(sql`select id, part_of as "partOf" from place`),
    );
  }
}
