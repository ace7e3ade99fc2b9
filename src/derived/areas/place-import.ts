import { Injectable } from '@nestjs/common';

import { Database } from '../../database/pools/database.js';
import { HierarchyCache } from '../../locations/hierarchy-cache.js';
import type { ImportedLocations } from '../../locations/import-locations.js';
import { importLocations } from '../../locations/import-locations.js';
import { settleAreaTerms } from './settle-area-terms.js';
import { writeAreaTerms } from './write-area-terms.js';

/** Locations files, and the terms of places that records have. */
@Injectable()
export class PlaceImport {
  constructor(
    private readonly database: Database,
    private readonly hierarchy: HierarchyCache,
  ) {}

  /**
   * Writes the places of a file, all or none; searches know them when this is done (S-14). Throws 400 BAD_REQUEST with
   * every fault of the file.
   */
  async import(file: unknown): Promise<ImportedLocations> {
    const imported = await importLocations(this.database, file, writeAreaTerms);
    await this.hierarchy.refresh();
    // If this cannot be done now, a running service does it later.
    await settleAreaTerms(this.database).catch(() => false);
    return imported;
  }
}
