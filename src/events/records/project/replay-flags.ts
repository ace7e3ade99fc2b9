import { builtInCustomAction } from '../../../kernel/domain/life-cycle/custom-actions.js';
import { LIFE_CYCLE } from '../../../kernel/domain/life-cycle/life-cycle.js';
import { ACTION_TYPES, type EventAction } from '../../../kernel/domain/event-action.js';
import { type EventFlag, INHERENT_FLAGS } from '../../../kernel/domain/event-flag.js';
import type { ConfiguredFlags } from './configured-flags.js';

const ACTION_FLAG = new RegExp(`^(?:${ACTION_TYPES.join('|').toLowerCase()}):(?:requested|accepted|rejected)$`);

/**
 * Flags of waiting or rejected actions come first, then inherent ones, then `sealed` and configured ones; others of
 * `before` are kept.
 */
export function replayFlags(
  before: readonly EventFlag[],
  actions: readonly EventAction[],
  configured: ConfiguredFlags,
): readonly EventFlag[] {
  const isInherent = (flag: EventFlag): boolean => INHERENT_FLAGS.some((inherent) => inherent === flag);
  const ofActions = new Set(before.filter((flag) => ACTION_FLAG.test(flag)));
  const inherent = new Set(before.filter(isInherent));
  const custom = new Set(before.filter((flag) => !ACTION_FLAG.test(flag) && !isInherent(flag)));

  for (const action of actions) {
    markOutcome(ofActions, action);
    if (action.status !== 'Accepted') continue;
    const { sets = [], clears = [] } = LIFE_CYCLE[action.type];
    mark(inherent, sets, clears);
    if (action.type === 'CUSTOM') markCustom(custom, action.customActionType);
    for (const { flag, operation } of configured.changesBy(action)) {
      if (operation === 'add') custom.add(flag);
      else (isInherent(flag) ? inherent : custom).delete(flag);
    }
  }
  return [...ofActions, ...inherent, ...custom];
}

/** The latest action of a type decides; an accepted one has no flag. */
function markOutcome(flags: Set<EventFlag>, { type, status }: EventAction): void {
  const name = type.toLowerCase();
  for (const outcome of ['requested', 'accepted', 'rejected']) flags.delete(`${name}:${outcome}`);
  if (status !== 'Accepted') flags.add(`${name}:${status.toLowerCase()}`);
}

function markCustom(flags: Set<EventFlag>, customActionType: string | null): void {
  const { sets = [], clears = [] } = builtInCustomAction(customActionType) ?? {};
  mark(flags, sets, clears);
}

function mark(flags: Set<EventFlag>, sets: readonly EventFlag[], clears: readonly EventFlag[]): void {
  for (const flag of clears) flags.delete(flag);
  for (const flag of sets) flags.add(flag);
}
