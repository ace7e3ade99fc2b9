import { Global, Module } from '@nestjs/common';

import { AuthModule } from '../auth/auth.module.js';
import { EventsModule } from './events.module.js';
import { ConfirmationOutboxModule } from './confirmation-outbox.module.js';
import { ConfirmationClaims } from './confirmation/confirmation-claims.js';
import { ConfirmationUpkeep } from './confirmation/confirmation-upkeep.js';
import { ConfirmationMetrics } from './confirmation/confirmation-metrics.js';
import { ConfirmationNotes } from './confirmation/confirmation-notes.js';
import { Confirmations } from './confirmation/confirmations.js';
import { CountryConfiguration } from '../auth/tokens/country-configuration.js';
import { PostedEvents } from './confirmation/posted-events.js';

/** Has requested actions confirmed by the country configuration, if there is one. */
@Global()
@Module({
  imports: [AuthModule, EventsModule, ConfirmationOutboxModule],
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
