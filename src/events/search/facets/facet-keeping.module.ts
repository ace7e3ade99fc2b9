import { Module } from '@nestjs/common';

import { FacetKeeper } from './facet-keeper.js';

/** For the service; a command leaves the keeping of bitmaps to it. Needs the global `DatabaseModule`. */
@Module({ providers: [FacetKeeper] })
export class FacetKeepingModule {}
