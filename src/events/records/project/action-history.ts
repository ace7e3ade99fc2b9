import type { ActionRule } from '../../../kernel/domain/life-cycle/action-rule.js';
import { LIFE_CYCLE } from '../../../kernel/domain/life-cycle/life-cycle.js';
import type { EventAction } from '../../../kernel/domain/event-action.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';

/** The actions of one event in the order in which they are replayed, and by their ids. */
export class ActionHistory {
  private readonly byId: ReadonlyMap<Uuid, EventAction>;
  /** By the id of the request, the last answer to it. */
  private readonly answers = new Map<Uuid, EventAction>();

  private constructor(readonly actions: readonly EventAction[]) {
    this.byId = new Map(actions.map((action) => [action.id, action]));
    for (const action of actions) {
      const { originalActionId, status } = action;
      if (originalActionId !== null && status !== 'Requested') this.answers.set(originalActionId, action);
    }
  }

  /** Actions are replayed by `createdAt`; those of the same millisecond keep the order of the list. */
  static of(actions: readonly EventAction[]): ActionHistory {
    return new ActionHistory(
      actions.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0)),
    );
  }

  get(id: Uuid | null): EventAction | undefined {
    return id === null ? undefined : this.byId.get(id);
  }

  /** The Requested action that `action` answers; undefined if it names none. */
  originalOf(action: EventAction): EventAction | undefined {
    return this.get(action.originalActionId);
  }

  /** The action that gave the legal status last, if any. */
  lastGiving(legalStatus: NonNullable<ActionRule['legalStatus']>): EventAction | undefined {
    return this.actions.findLast(
      ({ type, status }) => LIFE_CYCLE[type].legalStatus === legalStatus && status === 'Accepted',
    );
  }

  /**
   * The request that was accepted: its author did what counts from then on. Where `accepted` names none, the last one
   * that it follows; `accepted` itself if there is none either.
   */
  requestOf(accepted: EventAction): EventAction {
    const isRequest = ({ type, status }: EventAction): boolean => type === accepted.type && status === 'Requested';
    const named = this.originalOf(accepted);
    if (named !== undefined && isRequest(named)) return named;
    return this.actions.slice(0, this.actions.indexOf(accepted)).findLast(isRequest) ?? accepted;
  }

  /** The answer to a Requested action, if there is one yet. */
  answerTo(request: EventAction): EventAction | undefined {
    return this.answers.get(request.id);
  }
}
