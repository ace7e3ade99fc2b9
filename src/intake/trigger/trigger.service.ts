import { Inject, Injectable } from '@nestjs/common';

import type { Caller } from '../../access/caller.js';
import type { ActionType, EventAction, EventDocument } from '../../domain/record/event-action.js';
import { topicOfChange } from '../../webhooks/topic-of-change.js';
import { publishedActions } from '../published-changes.js';
import type { Command } from '../writer/command.js';
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
  async accept(
    { document, type, size }: Trigger,
    { subject }: Pick<Caller, 'subject'>,
    hungUp?: AbortSignal,
  ): Promise<void> {
    const command = (publishes: readonly ActionType[]): Command<undefined> => ({
      client: subject,
      eventId: document.id,
      publishes,
      size,
      decide: ({ event }) => {
        const known = event?.document.actions ?? [];
        const accepted = withAcceptedAction(document, type, known);
        const all = new Set([...publishes, ...publishedTypes(accepted, known)]);
        if (all.size > publishes.length) throw new PublishesMore([...all]);
        return { answer: undefined, change: { kind: 'merge', document: accepted } };
      },
    });
    for (let publishes: readonly ActionType[] = [type]; ;) {
      try {
        await this.writer.submit(command(publishes), hungUp);
        return;
      } catch (error) {
        if (!(error instanceof PublishesMore)) throw error;
        publishes = error.types;
      }
    }
  }
}

/**
 * Thrown where the document tells of other actions that were not known, and are published too, as after triggers that
 * were lost: it is decided again with the files that their notifications enclose (W-13).
 */
class PublishesMore extends Error {
  constructor(readonly types: readonly ActionType[]) {
    super('more is published than was triggered');
  }
}

/** The types of the actions of a document that have a topic and are published. */
function publishedTypes({ type: eventType, actions }: EventDocument, known: readonly EventAction[]): ActionType[] {
  const knownIds = new Set(known.map(({ id }) => id));
  const newActions = actions.filter(({ id }) => !knownIds.has(id));
  return publishedActions({ newActions, knownActions: known })
    .filter(({ type: action, status }) => topicOfChange({ eventType, action, status }) !== undefined)
    .map(({ type }) => type);
}
