import { Module } from '@nestjs/common';

import { IntegrationsModule } from '../auth/integrations/integrations.module.js';
import { FileRoutesModule } from '../files/file-routes.module.js';
import { ErrorNotes } from '../gateway/errors/error-notes.js';
import { ConfirmationRoutesModule } from '../intake/confirmation/confirmation-routes.module.js';
import { OperationsModule } from '../intake/operations/operations.module.js';
import { LocationsModule } from '../locations/locations.module.js';
import { PlacesModule } from '../places/places.module.js';
import { SearchModule } from '../search/search.module.js';
import { UserRoutesModule } from '../users/user-routes.module.js';
import { IntegrationProcedures } from './integration-procedures.js';
import { EventProcedures } from './event-procedures.js';
import { PlaceProcedures } from './place-procedures.js';
import { SearchProcedures } from './search-procedures.js';
import { TrpcCalls } from './trpc-calls.js';
import { TrpcController } from './trpc.controller.js';
import { UserProcedures } from './user-procedures.js';

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
