import type { ActionType } from '../../kernel/domain/event-action.js';
import type { Uuid } from '../../kernel/domain/uuid.js';

/**
 * Whether requested actions wait for somebody else's confirmation (E-7). Its provider is global; if it is absent, every
 * action is accepted at once.
 */
export abstract class AwaitedConfirmation {
  abstract isAwaited(type: ActionType): boolean;

  /** Resolves once the outcome of a Requested action is stored, or when its caller need not wait any longer. */
  abstract outcomeOf(actionId: Uuid, hungUp?: AbortSignal): Promise<void>;
}
