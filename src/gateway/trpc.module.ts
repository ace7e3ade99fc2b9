import { Module } from '@nestjs/common';
import { AdministrationModule } from '../auth/administration.module.js';
import { ErrorNotes } from './errors/error.filter.js';
import { IntegrationProcedures, ReadProcedures } from './trpc/other-procedures.js';
import { EventProcedures } from './trpc/event-procedures.js';
import { TrpcCalls } from './trpc/trpc-calls.js';
import { TrpcController } from './trpc/trpc.controller.js';

/** Operations as procedures of tRPC (I-4). */
@Module({
  imports: [AdministrationModule],
  controllers: [TrpcController],
  providers: [ErrorNotes, EventProcedures, IntegrationProcedures, ReadProcedures, TrpcCalls],
})
export class TrpcModule {}
