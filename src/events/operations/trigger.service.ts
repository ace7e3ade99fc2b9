import { Inject, Injectable } from '@nestjs/common';
import type { Asker } from '../../auth/access/asker.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { actorOf, type AuditEntry } from '../../platform/audit/audit-entry.js';
import type { ActionType, EventAction, EventDocument } from '../../kernel/domain/event-action.js';
import { isAsStored } from '../records/event-change.js';
import { topicOfChange } from '../../kernel/domain/life-cycle/topic-of-change.js';
import { publishedActions } from '../write/published-changes.js';
import type { Command } from '../write/command.js';
import { EventWriter } from '../write/event-writer.js';
import { withAcceptedAction } from './accepted-action.js';

interface Trigger {
  readonly document: EventDocument;
  readonly type: ActionType;
  /** See `Command`. */
  readonly size: number;
}

/** Accepts triggers. */
@Injectable()
export class TriggerService {
  constructor(@Inject(EventWriter) private readonly writer: Pick<EventWriter, 'submit'>) {}

  /**
   * Stores the document with its latest `type` accepted, and publishes new actions, in one transaction. A repetition
   * changes nothing and is not audited (I-3). Throws 400 without such an action, 409 for a tracking id or registration
   * number in use.
   */
  async accept({ document, type, size }: Trigger, { caller, hungUp }: Asker): Promise<void> {
    const command = (publishes: readonly ActionType[]): Command<undefined> => ({
      client: caller.subject,
      eventId: document.id,
      publishes,
      size,
      decide: ({ event }) => {
        const known = event?.document.actions ?? [];
        const accepted = withAcceptedAction(document, type, known);
        const added = newActions(accepted, known);
        const all = new Set([...publishes, ...publishedTypes(document.type, added, known)]);
        if (all.size > publishes.length) throw new PublishesMore([...all]);
        // A trigger makes a draft searchable.
        const isKnown = event !== undefined && !event.stored.isDraft && isAsStored(accepted, event.stored);
        const isNews = added.length > 0 || !isKnown;
        return {
          answer: undefined,
          change: { kind: 'merge', document: accepted },
          ...(isNews && auditOf(caller, document, type)),
        };
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
 * Further unknown actions are to be published, as after lost triggers: the decision runs again with their
 * notifications' files (W-13).
 */
class PublishesMore extends Error {
  constructor(readonly types: readonly ActionType[]) {
    super('more is published than was triggered');
  }
}

function newActions({ actions }: EventDocument, known: readonly EventAction[]): readonly EventAction[] {
  const knownIds = new Set(known.map(({ id }) => id));
  return actions.filter(({ id }) => !knownIds.has(id));
}

/** New actions with a topic. */
const publishedTypes = (
  eventType: string,
  added: readonly EventAction[],
  known: readonly EventAction[],
): readonly ActionType[] =>
  publishedActions({ newActions: added, knownActions: known })
    .filter(({ type: action, status }) => topicOfChange({ eventType, action, status }) !== undefined)
    .map(({ type }) => type);

/** For a system client (I-2), as if it had accepted the action: no other row names the reporter. */
function auditOf(
  caller: Caller,
  { id: eventId, type: eventType, trackingId, actions }: EventDocument,
  actionType: ActionType,
): { readonly audit?: AuditEntry } {
  if (caller.userType !== 'system') return {};
  const { id: actionId, transactionId } = actions.findLast(({ type }) => type === actionType) ?? {};
  return {
    audit: {
      ...actorOf(caller),
      operation: `event.actions.${actionType.toLowerCase() as Lowercase<ActionType>}.accept`,
      requestData: { eventId, actionId, actionType, eventType, trackingId, transactionId },
      responseSummary: null,
    },
  };
}
