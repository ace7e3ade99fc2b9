import { Module } from '@nestjs/common';

import { IntegrationsModule } from '../auth/integrations.module.js';
import { FileRoutesModule } from '../events/file-routes.module.js';
import { ErrorNotes } from './errors/error-notes.js';
import { ConfirmationRoutesModule } from '../events/confirmation-routes.module.js';
import { OperationsModule } from '../events/operations.module.js';
import { LocationsModule } from '../auth/locations.module.js';
import { PlacesModule } from '../events/places.module.js';
import { SearchModule } from '../events/search.module.js';
import { UserRoutesModule } from '../auth/user-routes.module.js';
import { IntegrationProcedures } from './trpc/integration-procedures.js';
import { EventProcedures } from './trpc/event-procedures.js';
import { PlaceProcedures } from './trpc/place-procedures.js';
import { SearchProcedures } from './trpc/search-procedures.js';
import { TrpcCalls } from './trpc/trpc-calls.js';
import { TrpcController } from './trpc/trpc.controller.js';
import { UserProcedures } from './trpc/user-procedures.js';

/** Operations as procedures of tRPC (I-4). Needs the global `RateLimitModule`. */
@Module({
  imports: [
    SearchModule,
    IntegrationsModule,
    OperationsModule,
    ConfirmationRoutesModule,
    LocationsModule,
    PlacesModule,
    FileRoutesModule,
    UserRoutesModule,
  ],
  controllers: [TrpcController],
  providers: [
    ErrorNotes,
    EventProcedures,
    IntegrationProcedures,
    PlaceProcedures,
    SearchProcedures,
    TrpcCalls,
    UserProcedures,
  ],
})
export class TrpcModule {}
