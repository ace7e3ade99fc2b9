import { Injectable, Optional } from '@nestjs/common';

import { Database } from '../../database/pools/database.js';
import type { Queryable } from '../../database/queryable.js';
import { EventConfiguration } from '../../domain/event-configuration/event-configuration.js';
import type { ActionType, EventAction, EventDocument } from '../../domain/record/event-action.js';
import type { Uuid } from '../../domain/uuid.js';
import { absurd } from '../../errors/absurd.js';
import { ServiceError } from '../../errors/service-error.js';
import { prepareEvent } from '../../records/prepare-event.js';
import { retryingDeadlocks } from '../../records/store/retrying-deadlocks.js';
import { writeRecords } from '../../records/store/write-records.js';
import { lockStoredEvents } from '../../records/stored-events.js';
import { sql } from '../../sql/sql.js';
import { Publisher } from '../../webhooks/delivery/publisher.js';
import { publishedChanges } from '../published-changes.js';
import { withAcceptedAction } from './accepted-action.js';

const TAKEN = {
  trackingId: 'trackingId: is that of another event',
  registrationNumber: 'registrationNumber: is that of another event',
} as const;

/** Accepts what a country's triggers report about events. */
@Injectable()
export class TriggerService {
  constructor(
    private readonly database: Database,
    private readonly configuration: EventConfiguration,
    // Without webhooks, nothing is published.
    @Optional() private readonly publisher?: Publisher,
  ) {}

  /**
   * Stores the document, with its latest action of `type` accepted, and publishes what is new in it, in one
   * transaction. Repeating a trigger changes and publishes nothing. Throws 400 for a document without such an action,
   * and 409 if another event has its tracking id or registration number.
   */
  async accept(document: EventDocument, type: ActionType): Promise<void> {
    const isPublished = await retryingDeadlocks(() =>
      this.database.transaction((transaction) => this.write(transaction, document, type)),
    );
    if (isPublished) this.publisher?.announce();
  }

  /** Resolves with whether something was published. */
  private async write(transaction: Queryable, document: EventDocument, type: ActionType): Promise<boolean> {
    const accepted = withAcceptedAction(document, type, await lockedActions(transaction, document.id));
    const event = prepareEvent({ kind: 'document', document: accepted }, this.configuration);
    const [outcome] = await writeRecords(transaction, [event]);
    switch (outcome?.kind) {
      case 'created':
      case 'updated': {
        // As known when it was written: an import may have created the event meanwhile.
        return (await this.publisher?.publish(transaction, publishedChanges(outcome))) ?? false;
      }
      case 'unchanged':
      case undefined:
        return false;
      case 'conflict':
        throw new ServiceError('CONFLICT', 'Another event has what must be unique', {
          issues: [{ message: TAKEN[outcome.on] }],
        });
      default:
        return absurd(outcome);
    }
  }
}

/**
 * The stored actions of an event, locked until the end of the transaction. Triggers of an event that does not exist yet
 * have no row to wait for: they take turns, so that all but the first see what the first has stored.
 */
async function lockedActions(transaction: Queryable, id: Uuid): Promise<readonly EventAction[]> {
  const found = (await lockStoredEvents(transaction, [id])).get(id);
  if (found !== undefined) return found.actions;
  await transaction.query(sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`);
  return (await lockStoredEvents(transaction, [id])).get(id)?.actions ?? [];
}
