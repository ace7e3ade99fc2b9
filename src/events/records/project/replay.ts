import { utcDayOf } from '../../../kernel/domain/calendar.js';
import { type Declaration, ownValue } from '../../../kernel/domain/declaration.js';
import { ACTION_TYPES, type DeclarationChange, type EventAction } from '../../../kernel/domain/event-action.js';
import { settingsOf } from '../../../kernel/domain/event-configuration/action-settings.js';
import { flagConditionHolds, type FlagSituation } from '../../../kernel/domain/event-configuration/conditions.js';
import type { EventType, FlagChange } from '../../../kernel/domain/event-configuration/event-type.js';
import type { EventRecord } from '../../../kernel/domain/event-record.js';
import { type EventFlag, type EventStatus, INHERENT_FLAGS } from '../../../kernel/domain/event-status.js';
import { builtInCustomAction } from '../../../kernel/domain/life-cycle/custom-actions.js';
import { LIFE_CYCLE } from '../../../kernel/domain/life-cycle/life-cycle.js';
import { ActionHistory } from './action-history.js';
import { annotateBy, changesOf, type ReplayedFields, replayOn } from './replay-declaration.js';

/**
 * Flag changes configured by a country (E-3). Tracks declaration and annotations, since conditions see them as they
 * were.
 */
export class ConfiguredFlags {
  private readonly declaration: ReplayedFields;
  private readonly annotations: ReplayedFields = {};

  constructor(
    private readonly type: EventType,
    declarationBefore: Declaration,
    private readonly history: ActionHistory,
  ) {
    this.declaration = type.actions.size === 0 ? {} : { ...declarationBefore };
  }

  /** Call it for each accepted action in order. */
  changesBy(action: EventAction): readonly FlagChange[] {
    if (this.type.actions.size === 0) return [];
    replayOn(this.declaration, action, this.history);
    annotateBy(this.annotations, action, this.history);
    const changes = settingsOf(this.type, action)?.flags ?? [];
    if (changes.length === 0) return [];
    const situation = this.situationOf(action, this.history.originalOf(action) ?? action);
    return changes.filter(({ condition }) => condition === undefined || flagConditionHolds(condition, situation));
  }

  private situationOf({ createdAt }: EventAction, author: EventAction): FlagSituation {
    return {
      valueOf: (fieldId) => ownValue(this.declaration, fieldId) ?? ownValue(this.annotations, fieldId),
      role: author.createdByRole,
      userType: author.createdByUserType,
      day: utcDayOf(createdAt),
    };
  }
}

/** Counts members at all levels. */
export function valuesIn(objects: readonly (object | null)[]): number {
  let values = 0;
  const left = [...objects];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    for (const member of Object.values(value ?? {}) as readonly unknown[]) {
      values += 1;
      if (typeof member === 'object' && member !== null) left.push(member);
    }
  }
  return values;
}

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

/** UNARCHIVE restores the status before ARCHIVE or, if unknown, the furthest with a legal status. */
export function replayStatus(imported: EventRecord | undefined, actions: readonly EventAction[]): EventStatus {
  let status = imported?.status ?? 'CREATED';
  let beforeArchive = imported?.status === 'ARCHIVED' ? furthestLegal(imported) : status;
  for (const action of actions) {
    if (action.status !== 'Accepted') continue;
    const after = LIFE_CYCLE[action.type].status ?? status;
    status = after === 'restored' ? beforeArchive : after;
    if (status !== 'ARCHIVED') beforeArchive = status;
  }
  return status;
}

function furthestLegal({ legalStatuses, flags }: EventRecord): EventStatus {
  if (legalStatuses.REGISTERED !== null) return 'REGISTERED';
  if (legalStatuses.DECLARED !== null) return 'DECLARED';
  return flags.includes('incomplete') ? 'NOTIFIED' : 'CREATED';
}
