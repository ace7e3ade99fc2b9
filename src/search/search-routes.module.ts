import { Module } from '@nestjs/common';

import { ExplainController } from './explain/explain.controller.js';
import { SearchController } from './search.controller.js';
import { SearchModule } from './search.module.js';

/** The routes of searches. They are apart since they load what describes them, which no command needs. */
@Module({ imports: [SearchModule], controllers: [SearchController, ExplainController] })
export class SearchRoutesModule {}
