import { Module } from '@nestjs/common';

import { CountsController } from './search/counts/counts.controller.js';
import { ExplainController } from './search/explain/explain.controller.js';
import { SearchController } from './search/search.controller.js';
import { SearchModule } from './search.module.js';

/**
 * The routes of searches. They are a separate module since they load the OpenAPI descriptions, which no command needs.
 */
@Module({ imports: [SearchModule], controllers: [SearchController, CountsController, ExplainController] })
export class SearchRoutesModule {}
