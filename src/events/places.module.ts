import { Module } from '@nestjs/common';

import { LocationsModule } from '../auth/locations.module.js';
import { PlaceAnswers } from './places/place-answers.js';
import { PlaceLists } from './places/place-lists.js';
import { PlaceTurns } from './places/place-turns.js';

/** Reading places. Needs the global `DatabaseModule`, and global providers of `CONFIG`, `Capacities` and `Refusals`. */
@Module({
  imports: [LocationsModule],
  providers: [PlaceAnswers, PlaceLists, PlaceTurns],
  exports: [PlaceAnswers, PlaceLists, PlaceTurns],
})
export class PlacesModule {}
