import type { ActionRule } from '../../../kernel/domain/life-cycle/action-rule.js';
import { LIFE_CYCLE } from '../../../kernel/domain/life-cycle/life-cycle.js';
import type { EventAction } from '../../../kernel/domain/event-action.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';

/** Actions in replay order, and by id. */
export class ActionHistory {
  private readonly byId: ReadonlyMap<Uuid, EventAction>;
  /** Last answer by request id. */
  private readonly answers = new Map<Uuid, EventAction>();

  private constructor(readonly actions: readonly EventAction[]) {
    this.byId = new Map(actions.map((action) => [action.id, action]));
    for (const action of actions) {
      const { originalActionId, status } = action;
      if (originalActionId !== null && status !== 'Requested') this.answers.set(originalActionId, action);
    }
  }

  /** Sorts stably by `createdAt`. */
  static of(actions: readonly EventAction[]): ActionHistory {
    return new ActionHistory(
      actions.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0)),
    );
  }

  get(id: Uuid | null): EventAction | undefined {
    return id === null ? undefined : this.byId.get(id);
  }

  /** Undefined if `action` answers no Requested action. */
  originalOf(action: EventAction): EventAction | undefined {
    return this.get(action.originalActionId);
  }

  lastGiving(legalStatus: NonNullable<ActionRule['legalStatus']>): EventAction | undefined {
    return this.actions.findLast(
      ({ type, status }) => LIFE_CYCLE[type].legalStatus === legalStatus && status === 'Accepted',
    );
  }

  /**
   * The accepted request, whose author counts. Without a named one, the last preceding request, otherwise `accepted`
   * itself.
   */
  requestOf(accepted: EventAction): EventAction {
    const isRequest = ({ type, status }: EventAction): boolean => type === accepted.type && status === 'Requested';
    const named = this.originalOf(accepted);
    if (named !== undefined && isRequest(named)) return named;
    return this.actions.slice(0, this.actions.indexOf(accepted)).findLast(isRequest) ?? accepted;
  }

  /** Undefined while unanswered. */
  answerTo(request: EventAction): EventAction | undefined {
    return this.answers.get(request.id);
  }
}
