import type { OnApplicationBootstrap } from '@nestjs/common';
import { Injectable, Module } from '@nestjs/common';

import { AreaTermsKeeper } from '../derived/areas/area-terms-keeper.js';
import { FacetKeeper } from '../derived/bitmaps/facet-keeper.js';
import { DictionaryFollower } from '../derived/near-words/dictionary-follower.js';
import { DocumentFrequencies } from '../derived/statistics/document-frequencies.js';
import { SearchModule } from './search.module.js';

/** Begins what goes on for as long as the service runs. */
@Injectable()
class SearchUpkeep implements OnApplicationBootstrap {
  constructor(
    private readonly dictionary: DictionaryFollower,
    private readonly frequencies: DocumentFrequencies,
    private readonly facets: FacetKeeper,
    private readonly areas: AreaTermsKeeper,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.dictionary.start();
    this.facets.start();
    this.areas.start();
    await this.frequencies.start();
  }
}

/** For the service: a command leaves following and keeping to it. Needs the global `DatabaseModule`. */
@Module({ imports: [SearchModule], providers: [AreaTermsKeeper, FacetKeeper, SearchUpkeep] })
export class SearchUpkeepModule {}
