import { Module } from '@nestjs/common';

import { LocationsModule } from '../../locations/locations.module.js';
import { DictionaryFollower } from './fuzzy/dictionary-follower.js';
import { DocumentFrequencies } from './plan/document-frequencies.js';
import { SearchController } from './search.controller.js';
import { SearchRepository } from './search.repository.js';
import { SearchService } from './search.service.js';

/** Needs the global `DatabaseModule` and a global provider of `CONFIG`. */
@Module({
  imports: [LocationsModule],
  controllers: [SearchController],
  providers: [DictionaryFollower, DocumentFrequencies, SearchRepository, SearchService],
  exports: [SearchService],
})
export class SearchModule {}
