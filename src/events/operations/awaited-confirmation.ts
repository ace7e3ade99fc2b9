import type { ActionType } from '../../kernel/domain/event-action.js';
import type { Uuid } from '../../kernel/domain/uuid.js';

/** Confirmation of requested actions (E-7). Without this global provider, every action is accepted at once. */
export abstract class AwaitedConfirmation {
  abstract isAwaited(type: ActionType): boolean;

  /** Resolves when the outcome is stored, or the caller need not wait. */
  abstract outcomeOf(actionId: Uuid, hungUp?: AbortSignal): Promise<void>;
}
