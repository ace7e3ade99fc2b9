import type { DeclarationChange, EventAction } from '../../../kernel/domain/event-action.js';
import { ActionHistory } from './action-history.js';
import { changesOf } from './replay-declaration.js';
import { valuesIn } from './values-in.js';

/**
 * How many values a replay of these actions applies to the declaration: those of a request again for each action that
 * answers or approves it. Exact where they may be more than `most`; else only how many the actions have, each once.
 */
export function replayedValues(actions: readonly EventAction[], most: number): number {
  const values = valuesIn(actions.map(({ declaration }) => declaration));
  const again = actions.filter(({ originalActionId, requestId }) => originalActionId !== null || requestId !== null);
  // By far the most events: each of those actions applies no more than three others.
  if (values * (1 + 3 * again.length) <= most) return values;
  const history = ActionHistory.of(actions);
  const sizes = new Map<DeclarationChange, number>();
  const sizeOf = (change: DeclarationChange): number => {
    const size = sizes.get(change) ?? valuesIn([change]);
    sizes.set(change, size);
    return size;
  };
  return actions.reduce(
    (sum, action) => changesOf(action, history).reduce((total, change) => total + sizeOf(change), sum),
    0,
  );
}
