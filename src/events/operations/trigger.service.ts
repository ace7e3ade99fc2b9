import { Inject, Injectable } from '@nestjs/common';
import type { Asker } from '../../auth/access/decorators.js';
import type { ActionType, EventAction, EventDocument } from '../../kernel/domain/event-action.js';
import { topicOfChange } from '../../kernel/domain/life-cycle/topic.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { Faults, memberPath } from '../../kernel/errors/faults.js';
import { actorOf, type AuditEntry } from '../../platform/audit/audit-entry.js';
import { isAsStored } from '../records/event-change.js';
import { acceptanceOf } from '../write/acceptance.js';
import type { Command } from '../write/command.js';
import { EventWriter } from '../write/event-writer.js';
import { publishedActions } from '../write/event-publisher.js';

/**
 * Accepts the latest action of `type`, as a trigger means. A Requested one gets an Accepted action with a derived
 * id, so that repetitions are equal, unless `known` has one. Throws 400 for a missing or rejected action, or a REGISTER
 * without number.
 */
export function withAcceptedAction(
  document: EventDocument,
  type: ActionType,
  known: readonly EventAction[],
): EventDocument {
  const faults = new Faults();
  const at = document.actions.findLastIndex((action) => action.type === type);
  const action = document.actions[at];
  if (action === undefined) faults.add('actions', `must hold an action of the type ${type}`);
  else checkAcceptable(action, memberPath('actions', at), faults);
  faults.throwIfAny();
  if (action?.status !== 'Requested' || isAccepted(action, [...document.actions, ...known])) return document;
  return { ...document, actions: [...document.actions, acceptanceOf(action, action.registrationNumber)] };
}

function checkAcceptable({ type, status, registrationNumber }: EventAction, path: string, faults: Faults): void {
  if (status === 'Rejected')
    faults.add(`${path}.status`, 'must be "Requested" or "Accepted": the action was triggered');
  if (type === 'REGISTER' && status === 'Requested' && registrationNumber === null) {
    faults.add(`${path}.registrationNumber`, 'is required of a REGISTER that is accepted');
  }
}

const isAccepted = ({ id }: EventAction, actions: readonly EventAction[]): boolean =>
  actions.some((action) => action.status === 'Accepted' && (action.id === id || action.originalActionId === id));

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
