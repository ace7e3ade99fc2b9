import { Inject, Injectable } from '@nestjs/common';

import type { Asker } from '../../auth/access/decorators.js';
import { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import { RecordAccess } from '../search/stored-access.js';
import type { EventView } from '../operations/decisions/event-view.js';
import { operationKey } from '../operations/operation-key.js';
import { OperationPlaces } from '../operations/operation-places.js';
import { ViewsWithoutHidden } from '../operations/views-without-hidden.js';
import type { Command } from '../write/command.js';
import { EventWriter } from '../write/event-writer.js';
import type { AskedConfirmation } from './asked-confirmation.js';
import { decideConfirmation, NeedsMore } from './decide-confirmation.js';

/** Confirmations that come in from system clients (E-8). */
@Injectable()
export class IncomingConfirmations {
  constructor(
    @Inject(EventWriter) private readonly writer: Pick<EventWriter, 'submit'>,
    private readonly access: RecordAccess,
    private readonly configuration: EventConfiguration,
    @Inject(OperationPlaces) private readonly places: Pick<OperationPlaces, 'placeOf'>,
    @Inject(ViewsWithoutHidden) private readonly views: Pick<ViewsWithoutHidden, 'shown'>,
  ) {}

  /** Accepts or rejects a requested action; resolves with the event as it then is. */
  async confirm(asked: AskedConfirmation, { caller, hungUp }: Asker): Promise<EventView> {
    const { verb, eventId, transactionId, createdAtLocation } = asked;
    if (createdAtLocation !== null) await this.places.placeOf(caller, createdAtLocation);
    // How the action is named is no content: `decideConfirmation` compares it (E-8).
    const content = { ...asked, actionId: null, type: null };
    const { size, ...key } = operationKey({ subject: caller.subject, operation: verb, transactionId, content });
    const command = (known: AskedConfirmation): Command<EventView> => ({
      client: caller.subject,
      eventId,
      key,
      size,
      ...(verb === 'accept' && known.type !== undefined && { publishes: [known.type] }),
      decide: decideConfirmation({ access: this.access, configuration: this.configuration }, caller, known),
    });
    const written = async (): Promise<EventView> => {
      try {
        return await this.writer.submit(command(asked), hungUp);
      } catch (error) {
        if (!(error instanceof NeedsMore)) throw error;
        const isUnnumbered = error.type === 'REGISTER' && asked.registrationNumber === undefined;
        // No other confirmation uses up a number.
        const more = isUnnumbered ? { needs: 'registrationNumber' as const } : {};
        return this.writer.submit({ ...command({ ...asked, type: error.type }), ...more }, hungUp);
      }
    };
    return this.views.shown(await written(), caller);
  }
}
