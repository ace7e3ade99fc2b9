import { Module } from '@nestjs/common';

import { LocationsModule } from '../locations/locations.module.js';
import { PlaceAnswers } from './place-answers.js';
import { PlaceLists } from './place-lists.js';
import { PlaceTurns } from './place-turns.js';

/** Reading places. Needs the global `DatabaseModule`, and global providers of `CONFIG`, `Capacities` and `Refusals`. */
@Module({
  imports: [LocationsModule],
  providers: [PlaceAnswers, PlaceLists, PlaceTurns],
  exports: [PlaceAnswers, PlaceLists, PlaceTurns],
})
export class PlacesModule {}
