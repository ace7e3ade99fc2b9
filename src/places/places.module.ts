import { Module } from '@nestjs/common';

import { LocationsModule } from '../locations/locations.module.js';
import { PlaceLists } from './place-lists.js';

/** Reading places, for every module. Needs the global `DatabaseModule` and a global provider of `CONFIG`. */
@Module({ imports: [LocationsModule], providers: [PlaceLists], exports: [PlaceLists] })
export class PlacesModule {}
