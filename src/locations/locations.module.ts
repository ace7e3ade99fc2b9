import { Module } from '@nestjs/common';

import { HierarchyCache } from './hierarchy-cache.js';

/** Administrative areas and locations. */
@Module({ providers: [HierarchyCache], exports: [HierarchyCache] })
export class LocationsModule {}
