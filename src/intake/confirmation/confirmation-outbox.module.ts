import { Global, Module } from '@nestjs/common';

import { Outgoing } from '../writer/outgoing.js';
import { ConfirmationOutbox } from './outgoing/confirmation-outbox.js';
import { ConfirmationWaits } from './outgoing/confirmation-waits.js';

/** The outbox of requested actions, for whoever writes events, and how to wait for what becomes of them. */
@Global()
@Module({
  providers: [ConfirmationOutbox, { provide: Outgoing, useExisting: ConfirmationOutbox }, ConfirmationWaits],
  exports: [ConfirmationOutbox, Outgoing, ConfirmationWaits],
})
export class ConfirmationOutboxModule {}
