import { Global, Module } from '@nestjs/common';

import { AwaitedConfirmation } from './operations/operation-key.js';
import { Outgoing } from './write/acceptance.js';
import { ConfirmationOutbox } from './confirmation/confirmation-outbox.js';
import { ConfirmationWaits } from './confirmation/confirmation-waits.js';

/** The outbox of requested actions, for whoever writes events, and how to wait for what becomes of them. */
@Global()
@Module({
  providers: [
    ConfirmationOutbox,
    ConfirmationWaits,
    { provide: Outgoing, useExisting: ConfirmationOutbox },
    { provide: AwaitedConfirmation, useExisting: ConfirmationWaits },
  ],
  exports: [ConfirmationOutbox, ConfirmationWaits, Outgoing, AwaitedConfirmation],
})
export class ConfirmationOutboxModule {}
