import { Module } from '@nestjs/common';

import { LocationsModule } from '../auth/locations.module.js';
import { SearchModule } from './search.module.js';
import { WriterModule } from './writer.module.js';
import { ActionsController } from './operations/actions.controller.js';
import { DuplicateReview } from './operations/duplicate-review.js';
import { EventOperations } from './operations/event-operations.js';
import { EventsController } from './operations/events.controller.js';
import { OperationPlaces } from './operations/operation-places.js';
import { ViewsWithoutHidden } from './operations/views-without-hidden.js';

/** Creating, reading and changing events, for system clients and users (E-4). */
@Module({
  imports: [LocationsModule, SearchModule, WriterModule],
  controllers: [EventsController, ActionsController],
  providers: [DuplicateReview, EventOperations, OperationPlaces, ViewsWithoutHidden],
  exports: [EventOperations, OperationPlaces, ViewsWithoutHidden],
})
export class OperationsModule {}
