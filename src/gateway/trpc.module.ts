import { Module } from '@nestjs/common';

import { AdministrationModule } from '../auth/administration.module.js';
import { ErrorNotes } from './errors/error-notes.js';
import { IntegrationProcedures } from './trpc/integration-procedures.js';
import { EventProcedures } from './trpc/event-procedures.js';
import { PlaceProcedures } from './trpc/place-procedures.js';
import { SearchProcedures } from './trpc/search-procedures.js';
import { TrpcCalls } from './trpc/trpc-calls.js';
import { TrpcController } from './trpc/trpc.controller.js';
import { UserProcedures } from './trpc/user-procedures.js';

/** Operations as procedures of tRPC (I-4). */
@Module({
  imports: [AdministrationModule],
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
