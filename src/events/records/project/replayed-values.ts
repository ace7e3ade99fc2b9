import type { DeclarationChange, EventAction } from '../../../kernel/domain/event-action.js';
import { ActionHistory } from './action-history.js';
import { changesOf } from './replay-declaration.js';
import { valuesIn } from './values-in.js';

/** Values a replay applies; each answer or approval repeats its request's. Exact only where it may exceed `most`. */
export function replayedValues(actions: readonly EventAction[], most: number): number {
  const values = valuesIn(actions.map(({ declaration }) => declaration));
  const again = actions.filter(({ originalActionId, requestId }) => originalActionId !== null || requestId !== null);
  // The common case: each such action applies at most three others.
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
