import { Module } from '@nestjs/common';

import { LocationsModule } from '../../locations/locations.module.js';
import { SearchModule } from '../../search/search.module.js';
import { WriterModule } from '../writer/writer.module.js';
import { ActionsController } from './actions.controller.js';
import { DuplicateReview } from './duplicate-review.js';
import { EventOperations } from './event-operations.js';
import { EventsController } from './events.controller.js';
import { OperationPlaces } from './operation-places.js';
import { ViewsWithoutHidden } from './views-without-hidden.js';

/** Creating, reading and changing events, for system clients and users (E-4). */
@Module({
  imports: [LocationsModule, SearchModule, WriterModule],
  controllers: [EventsController, ActionsController],
  providers: [DuplicateReview, EventOperations, OperationPlaces, ViewsWithoutHidden],
  exports: [EventOperations, OperationPlaces, ViewsWithoutHidden],
})
export class OperationsModule {}
