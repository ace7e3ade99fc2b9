import { Module } from '@nestjs/common';

import { HierarchyCache } from './locations/hierarchy-cache.js';

/** Administrative areas and locations, and what contains what. */
@Module({ providers: [HierarchyCache], exports: [HierarchyCache] })
export class LocationsModule {}
