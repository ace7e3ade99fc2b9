import { Inject, Injectable } from '@nestjs/common';

import type { Caller } from '../../access/caller.js';
import type { ActionType, EventDocument } from '../../domain/record/event-action.js';
import { EventWriter } from '../writer/event-writer.js';
import { withAcceptedAction } from './accepted-action.js';

/** What is reported. */
interface Trigger {
  readonly document: EventDocument;
  readonly type: ActionType;
  /** See `Command`. */
  readonly size: number;
}

/** Accepts what a country's triggers report about events. */
@Injectable()
export class TriggerService {
  constructor(@Inject(EventWriter) private readonly writer: Pick<EventWriter, 'submit'>) {}

  /**
   * Stores the document, with its latest action of `type` accepted, and publishes what is new in it, in one
   * transaction. Repeating a trigger changes and publishes nothing. Throws 400 for a document without such an action,
   * and 409 if another event has its tracking id or registration number.
   */
  accept({ document, type, size }: Trigger, { subject }: Pick<Caller, 'subject'>, hungUp?: AbortSignal): Promise<void> {
    return this.writer.submit(
      {
        client: subject,
        eventId: document.id,
        publishes: type,
        size,
        decide: ({ event }) => {
          const accepted = withAcceptedAction(document, type, event?.document.actions ?? []);
          return { answer: undefined, change: { kind: 'merge', document: accepted } };
        },
      },
      hungUp,
    );
  }
}
