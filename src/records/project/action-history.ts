import type { ActionType, EventAction } from '../../domain/record/event-action.js';
import type { Uuid } from '../../domain/uuid.js';

/** The actions of one event in the order in which they are replayed, and by their ids. */
export class ActionHistory {
  private readonly byId: ReadonlyMap<Uuid, EventAction>;

  private constructor(readonly actions: readonly EventAction[]) {
    this.byId = new Map(actions.map((action) => [action.id, action]));
  }

  /** Replay goes by `createdAt`; actions of the same millisecond keep the order of the list. */
  static of(actions: readonly EventAction[]): ActionHistory {
    return new ActionHistory(
      actions.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0)),
    );
  }

  get(id: Uuid | null): EventAction | undefined {
    return id === null ? undefined : this.byId.get(id);
  }

  /** The Requested action that `action` answers; undefined when it names none. */
  originalOf(action: EventAction): EventAction | undefined {
    return this.get(action.originalActionId);
  }

  /** The action of `type` that was accepted last, if any was. */
  lastAccepted(type: ActionType): EventAction | undefined {
    return this.actions.findLast((action) => action.type === type && action.status === 'Accepted');
  }

  /** The last request that `accepted` follows: whoever made it did what was then accepted. Itself when there is none. */
  requestOf(accepted: EventAction): EventAction {
    const before = this.actions.slice(0, this.actions.indexOf(accepted));
    return before.findLast((action) => action.type === accepted.type && action.status === 'Requested') ?? accepted;
  }

  /** The answer to a Requested action, if there is one yet. */
  answerTo(request: EventAction): EventAction | undefined {
    return this.actions.findLast((action) => action.originalActionId === request.id && action.status !== 'Requested');
  }
}
