import { Injectable } from '@nestjs/common';

import { EventConfiguration } from '../../../domain/event-configuration/event-configuration.js';
import { RecordAccess } from '../../../search/record-access.js';
import type { EventView } from '../../operations/decisions/event-view.js';
import type { Asker } from '../../operations/event-operations.js';
import { operationKey } from '../../operations/operation-key.js';
import { OperationPlaces } from '../../operations/operation-places.js';
import { ViewsWithoutHidden } from '../../operations/views-without-hidden.js';
import type { Command } from '../../writer/command.js';
import { EventWriter } from '../../writer/event-writer.js';
import type { AskedConfirmation } from './asked-confirmation.js';
import { decideConfirmation, NeedsNumber } from './decide-confirmation.js';

/** Confirmations that come in from system clients (E-8). */
@Injectable()
export class IncomingConfirmations {
  constructor(
    private readonly writer: EventWriter,
    private readonly access: RecordAccess,
    private readonly configuration: EventConfiguration,
    private readonly places: OperationPlaces,
    private readonly views: ViewsWithoutHidden,
  ) {}

  /** Accepts or rejects a requested action; resolves with the event as it then is. */
  async confirm(asked: AskedConfirmation, { caller, hungUp }: Asker): Promise<EventView> {
    const { verb, eventId, actionId, type, transactionId, createdAtLocation } = asked;
    if (createdAtLocation !== null) await this.places.placeOf(caller, createdAtLocation);
    const operation = `${verb} ${actionId ?? type ?? ''}`;
    const { size, ...key } = operationKey({ subject: caller.subject, operation, transactionId, content: asked });
    const command: Command<EventView> = {
      ...{ client: caller.subject, eventId, key, size },
      ...(verb === 'accept' && { publishes: type ?? undefined }),
      decide: decideConfirmation({ access: this.access, configuration: this.configuration }, caller, asked),
    };
    return this.views.shown(await this.written(command, hungUp), caller);
  }

  private async written(command: Command<EventView>, hungUp: AbortSignal): Promise<EventView> {
    try {
      return await this.writer.submit(command, hungUp);
    } catch (error) {
      // Only the event says that it is a registration: no other confirmation uses up a number.
      if (!(error instanceof NeedsNumber)) throw error;
      return this.writer.submit({ ...command, needs: 'registrationNumber', publishes: 'REGISTER' }, hungUp);
    }
  }
}
