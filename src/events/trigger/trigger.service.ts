import { Injectable, Optional } from '@nestjs/common';

import type { Queryable } from '../../database/queryable.js';
import { Database } from '../../database/database.js';
import type { ActionType, EventDocument } from '../../domain/event-action.js';
import { absurd } from '../../errors/absurd.js';
import { ServiceError } from '../../errors/service-error.js';
import { Publisher } from '../../webhooks/delivery/publisher.js';
import { prepareEvent } from '../records/prepare-event.js';
import { retryingDeadlocks } from '../records/retrying-deadlocks.js';
import { lockStoredEvents } from '../records/stored-events.js';
import { writeRecords } from '../records/write-records.js';
import { publishedChanges } from '../webhooks/published-changes.js';
import { withAcceptedAction } from './accepted-action.js';

const TAKEN = {
  trackingId: 'trackingId: is that of another event',
  registrationNumber: 'registrationNumber: is that of another event',
} as const;

/** Takes in what a country's triggers tell of events. */
@Injectable()
export class TriggerService {
  constructor(
    private readonly database: Database,
    // Without webhooks, nothing is published.
    @Optional() private readonly publisher?: Publisher,
  ) {}

  /**
   * Stores the document, with its latest action of `type` accepted, and publishes what is new in it, in one transaction. The
   * same trigger again changes and publishes nothing. Throws 400 for a document without such an action, and 409 when
   * another event has its tracking id or registration number.
   */
  async accept(document: EventDocument, type: ActionType): Promise<void> {
    await retryingDeadlocks(() => this.database.transaction((transaction) => this.write(transaction, document, type)));
  }

  private async write(transaction: Queryable, document: EventDocument, type: ActionType): Promise<void> {
    const stored = await lockStoredEvents(transaction, [document.id]);
    const knownActions = stored.get(document.id)?.actions ?? [];
    const accepted = withAcceptedAction(document, type, knownActions);
    const event = prepareEvent({ kind: 'document', document: accepted });
    const [outcome] = await writeRecords(transaction, [event]);
    switch (outcome?.kind) {
      case 'created':
      case 'updated': {
        const { record, newActions } = outcome;
        await this.publisher?.publish(transaction, publishedChanges({ record, newActions, knownActions }));
        return;
      }
      case 'unchanged':
      case undefined:
        return;
      case 'conflict':
        throw new ServiceError('CONFLICT', 'Another event has what must be unique', {
          issues: [{ message: TAKEN[outcome.on] }],
        });
      default:
        absurd(outcome);
    }
  }
}
