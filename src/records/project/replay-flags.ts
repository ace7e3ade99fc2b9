import type { ActionType, EventAction } from '../../domain/record/event-action.js';
import { ACTION_TYPES } from '../../domain/record/event-action.js';
import type { EventFlag, InherentFlag } from '../../domain/record/event-flag.js';
import { INHERENT_FLAGS } from '../../domain/record/event-flag.js';

interface InherentRule {
  readonly setBy: ActionType;
  readonly clearedBy: (type: ActionType) => boolean;
}

const among =
  (...types: readonly ActionType[]) =>
  (type: ActionType): boolean =>
    types.includes(type);

/** Actions that say nothing about the state of a record. */
const isMeta = among('READ', 'ASSIGN', 'UNASSIGN');

const INHERENT: Readonly<Record<InherentFlag, InherentRule>> = {
  // ARCHIVE keeps it (interface, Versioning: release 2.1), so that UNARCHIVE finds it again.
  incomplete: { setBy: 'NOTIFY', clearedBy: among('CREATE', 'DECLARE', 'REGISTER') },
  rejected: { setBy: 'REJECT', clearedBy: among('NOTIFY', 'DECLARE', 'EDIT', 'REGISTER') },
  'correction-requested': {
    setBy: 'REQUEST_CORRECTION',
    clearedBy: among('APPROVE_CORRECTION', 'REJECT_CORRECTION'),
  },
  'potential-duplicate': {
    setBy: 'DUPLICATE_DETECTED',
    clearedBy: among('MARK_AS_DUPLICATE', 'MARK_AS_NOT_DUPLICATE'),
  },
  'edit-in-progress': { setBy: 'EDIT', clearedBy: (type) => !isMeta(type) },
};

const ACTION_FLAG = new RegExp(`^(?:${ACTION_TYPES.join('|').toLowerCase()}):(?:requested|accepted|rejected)$`);

/**
 * The flags after `actions`, on top of `before`: first those of waiting or rejected actions, then the inherent ones,
 * then a country's own, which cannot be derived without its configuration and are kept unchanged.
 */
export function replayFlags(before: readonly EventFlag[], actions: readonly EventAction[]): readonly EventFlag[] {
  const isInherent = (flag: EventFlag): boolean => INHERENT_FLAGS.some((inherent) => inherent === flag);
  const ofActions = new Set(before.filter((flag) => ACTION_FLAG.test(flag)));
  const inherent = new Set(before.filter(isInherent));
  const custom = before.filter((flag) => !ACTION_FLAG.test(flag) && !isInherent(flag));

  for (const action of actions) {
    markOutcome(ofActions, action);
    if (action.status === 'Accepted') markInherent(inherent, action.type);
  }
  return [...ofActions, ...inherent, ...custom];
}

/** The latest action of a type decides; once it is accepted there is nothing to flag. */
function markOutcome(flags: Set<EventFlag>, { type, status }: EventAction): void {
  const name = type.toLowerCase();
  for (const outcome of ['requested', 'accepted', 'rejected']) flags.delete(`${name}:${outcome}`);
  if (status !== 'Accepted') flags.add(`${name}:${status.toLowerCase()}`);
}

function markInherent(flags: Set<EventFlag>, type: ActionType): void {
  for (const flag of INHERENT_FLAGS) {
    const { setBy, clearedBy } = INHERENT[flag];
    if (type === setBy) flags.add(flag);
    else if (clearedBy(type)) flags.delete(flag);
  }
}
