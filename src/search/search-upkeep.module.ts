import type { OnApplicationBootstrap } from '@nestjs/common';
import { Injectable, Module } from '@nestjs/common';

import { AreaTermsKeeper } from '../derived/areas/area-terms-keeper.js';
import { BitmapKeeper } from '../derived/bitmaps/bitmap-keeper.js';
import { DictionaryFollower } from '../derived/near-words/dictionary-follower.js';
import { BlockKeeper } from '../derived/near-words/blocks/block-keeper.js';
import { DocumentFrequencies } from '../derived/statistics/document-frequencies.js';
import { SearchModule } from './search.module.js';

/** Starts the background work that lasts as long as the service. */
@Injectable()
class SearchUpkeep implements OnApplicationBootstrap {
  constructor(
    private readonly dictionary: DictionaryFollower,
    private readonly frequencies: DocumentFrequencies,
    private readonly bitmaps: BitmapKeeper,
    private readonly areas: AreaTermsKeeper,
    private readonly numbers: BlockKeeper,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.dictionary.start();
    this.bitmaps.start();
    this.areas.start();
    this.numbers.start();
    await this.frequencies.start();
  }
}

/** For the service: commands leave the following and keeping to it. Needs the global `DatabaseModule`. */
@Module({ imports: [SearchModule], providers: [AreaTermsKeeper, BitmapKeeper, BlockKeeper, SearchUpkeep] })
export class SearchUpkeepModule {}
