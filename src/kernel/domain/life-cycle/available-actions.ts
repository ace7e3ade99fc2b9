import type { ActionType } from '../event-action.js';
import type { EventFlag, EventStatus } from '../event-record.js';
import { LIFE_CYCLE } from './life-cycle.js';

interface BuiltInCustomAction {
  readonly statuses: readonly EventStatus[];
  readonly sets?: readonly EventFlag[];
  readonly clears?: readonly EventFlag[];
}

/** The flag of a sealed record (E-10). */
export const SEALED: EventFlag = 'sealed';

/** Need no configuration (E-10, E-16). */
const BUILT_IN: ReadonlyMap<string, BuiltInCustomAction> = new Map([
  ['SEAL', { statuses: ['REGISTERED'], sets: [SEALED] }],
  ['UNSEAL', { statuses: ['REGISTERED'], clears: [SEALED] }],
]);

export const builtInCustomAction = (customActionType: string | null): BuiltInCustomAction | undefined =>
  customActionType === null ? undefined : BUILT_IN.get(customActionType);

export interface RecordState {
  readonly status: EventStatus;
  readonly flags: readonly EventFlag[];
}

/** Before flags, in upstream's order, which messages show. */
const BY_STATUS: Readonly<Record<EventStatus, readonly ActionType[]>> = {
  CREATED: ['READ', 'DECLARE', 'NOTIFY', 'DELETE'],
  NOTIFIED: ['READ', 'EDIT', 'MARK_AS_DUPLICATE', 'ARCHIVE', 'REJECT', 'CUSTOM'],
  DECLARED: ['READ', 'REGISTER', 'MARK_AS_DUPLICATE', 'ARCHIVE', 'REJECT', 'CUSTOM', 'EDIT'],
  REGISTERED: [
    'READ',
    'PRINT_CERTIFICATE',
    'REQUEST_CORRECTION',
    'APPROVE_CORRECTION',
    'REJECT_CORRECTION',
    'CUSTOM',
    'REVOKE_REGISTRATION',
    'DEACTIVATE_REGISTRATION',
    'REACTIVATE_REGISTRATION',
  ],
  ARCHIVED: ['READ', 'CUSTOM', 'UNARCHIVE'],
  REVOKED: ['READ', 'REINSTATE_REGISTRATION'],
};

/** These flags replace the status: the record awaits correction, or is being edited. */
const WHILE_REJECTED: readonly ActionType[] = ['READ', 'NOTIFY', 'CUSTOM', 'EDIT', 'ARCHIVE'];
const WHILE_EDITED: readonly ActionType[] = ['NOTIFY', 'DECLARE', 'REGISTER'];

export const LISTED_ACTIONS: readonly { readonly state: string; readonly actions: readonly ActionType[] }[] = [
  ...Object.entries(BY_STATUS).map(([state, actions]) => ({ state, actions })),
  { state: 'rejected', actions: WHILE_REJECTED },
  { state: 'edit-in-progress', actions: WHILE_EDITED },
];

/** In the order that messages show (E-2). */
export function availableActions(state: RecordState): readonly ActionType[] {
  const flags = new Set(state.flags);
  const isPending = state.flags.some((flag) => flag.endsWith(':requested'));
  return listedFor(state.status, flags).filter((type) => {
    const { onlyWith, notWith = [], isAllowedWhilePending } = LIFE_CYCLE[type];
    return (
      (!isPending || isAllowedWhilePending) &&
      (onlyWith === undefined || flags.has(onlyWith)) &&
      !notWith.some((flag) => flags.has(flag))
    );
  });
}

function listedFor(status: EventStatus, flags: ReadonlySet<EventFlag>): readonly ActionType[] {
  if (flags.has('edit-in-progress')) return WHILE_EDITED;
  return flags.has('rejected') && status !== 'ARCHIVED' ? WHILE_REJECTED : BY_STATUS[status];
}

/**
 * The 409 message, in upstream's text (E-2); undefined if allowed, as READ, ASSIGN, UNASSIGN and MARK_AS_NOT_DUPLICATE
 * always are. It names a built-in custom action that is narrower than CUSTOM (E-16).
 */
export function refusalOf(
  type: ActionType,
  state: RecordState,
  customActionType: string | null = null,
): string | undefined {
  if (!LIFE_CYCLE[type].isGated) return undefined;
  const available = availableActions(state);
  const builtIn = type === 'CUSTOM' ? builtInCustomAction(customActionType) : undefined;
  if (available.includes(type) && (builtIn?.statuses.includes(state.status) ?? true)) return undefined;
  return (
    `Action '${builtIn === undefined ? type : (customActionType ?? type)}' cannot be performed on an event in ` +
    `'${state.status}' state with [${state.flags.join(', ')}] flags. Available actions: ${available.join(', ')}.`
  );
}
