import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { Database } from '../../platform/database/pools/database.js';
import { dayIn } from '../../kernel/domain/calendar.js';
import { HierarchyCache } from '../../auth/locations/hierarchy-cache.js';
import { type ImportedLocations, importLocations } from '../../auth/locations/import-locations.js';

@Injectable()
export class PlaceImport {
  constructor(
    private readonly database: Database,
    private readonly hierarchy: HierarchyCache,
    @Inject(CONFIG) private readonly config: Pick<Config, 'TIMEZONE'>,
  ) {}

  /** All or none; searches know them afterwards (S-14). Throws 400 BAD_REQUEST with every fault. */
  async import(file: unknown): Promise<ImportedLocations> {
    const imported = await importLocations(this.database, file, dayIn(this.config.TIMEZONE, new Date()));
    await this.hierarchy.refresh();
    return imported;
  }
}
