import { Module } from '@nestjs/common';

import { IntegrationsModule } from '../auth/integrations/integrations.module.js';
import { FileRoutesModule } from '../files/file-routes.module.js';
import { ErrorNotes } from '../gateway/errors/error-notes.js';
import { OperationsModule } from '../intake/operations/operations.module.js';
import { PlacesModule } from '../places/places.module.js';
import { SearchModule } from '../search/search.module.js';
import { IntegrationProcedures } from './integration-procedures.js';
import { PlaceProcedures } from './place-procedures.js';
import { RecordProcedures } from './record-procedures.js';
import { SearchProcedures } from './search-procedures.js';
import { TrpcCalls } from './trpc-calls.js';
import { TrpcController } from './trpc.controller.js';

/** Operations as procedures of tRPC (I-4). Needs the global `RateLimitModule`. */
@Module({
  imports: [SearchModule, IntegrationsModule, OperationsModule, PlacesModule, FileRoutesModule],
  controllers: [TrpcController],
  providers: [ErrorNotes, IntegrationProcedures, PlaceProcedures, RecordProcedures, SearchProcedures, TrpcCalls],
})
export class TrpcModule {}
