import { Global, Module } from '@nestjs/common';

import { AuthModule } from '../../auth/auth.module.js';
import { SearchModule } from '../../search/search.module.js';
import { WriterModule } from '../writer/writer.module.js';
import { ConfirmationOutboxModule } from './confirmation-outbox.module.js';
import { ConfirmationClaims } from './outgoing/confirmation-claims.js';
import { ConfirmationUpkeep } from './outgoing/confirmation-upkeep.js';
import { ConfirmationMetrics } from './outgoing/confirmation-metrics.js';
import { ConfirmationNotes } from './outgoing/confirmation-notes.js';
import { Confirmations } from './outgoing/confirmations.js';
import { CountryConfiguration } from './outgoing/country-configuration.js';
import { PostedEvents } from './outgoing/posted-events.js';

/** Has requested actions confirmed by the country configuration, if there is one. */
@Global()
@Module({
  imports: [AuthModule, SearchModule, WriterModule, ConfirmationOutboxModule],
  providers: [
    CountryConfiguration,
    ConfirmationClaims,
    PostedEvents,
    ConfirmationNotes,
    ConfirmationUpkeep,
    ConfirmationMetrics,
    Confirmations,
  ],
  exports: [Confirmations, ConfirmationMetrics],
})
export class ConfirmationModule {}
