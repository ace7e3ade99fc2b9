import type { OnApplicationBootstrap } from '@nestjs/common';
import { Injectable, Logger, Module } from '@nestjs/common';

import { otherUnicode } from '../platform/database/connection/derived-version.js';
import { Database } from '../platform/database/pools/database.js';
import { AreaTermsKeeper } from './index/areas/area-terms-keeper.js';
import { BitmapKeeper } from './index/bitmaps/bitmap-keeper.js';
import { DictionaryFollower } from './index/near-words/dictionary-follower.js';
import { BlockKeeper } from './index/near-words/block-keeper.js';
import { DocumentFrequencies } from './index/statistics/document-frequencies.js';
import { SearchModule } from './search.module.js';

/** Starts to follow what searches read from memory. */
@Injectable()
class SearchUpkeep implements OnApplicationBootstrap {
  private readonly log = new Logger(SearchUpkeep.name);

  constructor(
    private readonly database: Database,
    private readonly dictionary: DictionaryFollower,
    private readonly frequencies: DocumentFrequencies,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.dictionary.start();
    await this.frequencies.start();
    // No start waits for it. Readiness tells of a database that does not answer, or whose schema is yet to be migrated.
    void this.tellOfOtherUnicode().catch(() => undefined);
  }

  /** As PostgreSQL does where the collations of its system have changed under its indexes. */
  private async tellOfOtherUnicode(): Promise<void> {
    const other = await otherUnicode(this.database);
    if (other === undefined) return;
    this.log.warn(
      `stored words were split and folded by Unicode ${other.stored}, and this Node.js has ${other.own}: words with ` +
        'characters that only one of them knows may not be found until a matricula reindex by this Node.js',
    );
  }
}

/** For the service: commands leave the following and keeping to it. Needs the global `DatabaseModule`. */
@Module({ imports: [SearchModule], providers: [AreaTermsKeeper, BitmapKeeper, BlockKeeper, SearchUpkeep] })
export class SearchUpkeepModule {}
