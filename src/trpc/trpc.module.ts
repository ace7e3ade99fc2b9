import { Module } from '@nestjs/common';

import { IntegrationsModule } from '../auth/integrations/integrations.module.js';
import { ErrorNotes } from '../gateway/errors/error-notes.js';
import { SearchModule } from '../search/search.module.js';
import { IntegrationProcedures } from './integration-procedures.js';
import { SearchProcedures } from './search-procedures.js';
import { TrpcCalls } from './trpc-calls.js';
import { TrpcController } from './trpc.controller.js';

/** Operations as procedures of tRPC (I-4). Needs the global `RateLimitModule`. */
@Module({
  imports: [SearchModule, IntegrationsModule],
  controllers: [TrpcController],
  providers: [ErrorNotes, IntegrationProcedures, SearchProcedures, TrpcCalls],
})
export class TrpcModule {}
