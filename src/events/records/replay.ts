import { utcDayOf } from '../../kernel/domain/calendar.js';
import {
  ACTION_TYPES,
  type ChangeValue,
  type DeclarationChange,
  type EventAction,
} from '../../kernel/domain/event-action.js';
import { flagConditionHolds, type FlagSituation } from '../../kernel/domain/event-configuration/conditions.js';
import { settingsOf } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { EventType, FlagChange } from '../../kernel/domain/event-configuration/event-type.js';
import {
  type Declaration,
  type DeclarationValue,
  type EventFlag,
  type EventRecord,
  type EventStatus,
  INHERENT_FLAGS,
  ownValue,
} from '../../kernel/domain/event-record.js';
import type { ActionRule } from '../../kernel/domain/life-cycle/action-rule.js';
import { builtInCustomAction } from '../../kernel/domain/life-cycle/available-actions.js';
import { LIFE_CYCLE } from '../../kernel/domain/life-cycle/life-cycle.js';
import type { Uuid } from '../../kernel/domain/uuid.js';

/** Actions in replay order, and by id. */
export class ActionHistory {
  private readonly byId: ReadonlyMap<Uuid, EventAction>;
  /** Last answer by request id. */
  private readonly answers = new Map<Uuid, EventAction>();

  private constructor(readonly actions: readonly EventAction[]) {
    this.byId = new Map(actions.map((action) => [action.id, action]));
    for (const action of actions) {
      const { originalActionId, status } = action;
      if (originalActionId !== null && status !== 'Requested') this.answers.set(originalActionId, action);
    }
  }

  /** Sorts stably by `createdAt`. */
  static of(actions: readonly EventAction[]): ActionHistory {
    return new ActionHistory(
      actions.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0)),
    );
  }

  get(id: Uuid | null): EventAction | undefined {
    return id === null ? undefined : this.byId.get(id);
  }

  /** Undefined if `action` answers no Requested action. */
  originalOf(action: EventAction): EventAction | undefined {
    return this.get(action.originalActionId);
  }

  lastGiving(legalStatus: NonNullable<ActionRule['legalStatus']>): EventAction | undefined {
    return this.actions.findLast(
      ({ type, status }) => LIFE_CYCLE[type].legalStatus === legalStatus && status === 'Accepted',
    );
  }

  /**
   * The accepted request, whose author counts. Without a named one, the last preceding request, otherwise `accepted`
   * itself.
   */
  requestOf(accepted: EventAction): EventAction {
    const isRequest = ({ type, status }: EventAction): boolean => type === accepted.type && status === 'Requested';
    const named = this.originalOf(accepted);
    if (named !== undefined && isRequest(named)) return named;
    return this.actions.slice(0, this.actions.indexOf(accepted)).findLast(isRequest) ?? accepted;
  }

  /** Undefined while unanswered. */
  answerTo(request: EventAction): EventAction | undefined {
    return this.answers.get(request.id);
  }
}

export type ReplayedFields = Record<string, DeclarationValue>;

/**
 * Applies accepted actions to `before`. Answers first apply their request, approved corrections the requested changes.
 */
export function replayDeclaration(
  before: Declaration,
  actions: readonly EventAction[],
  history: ActionHistory,
): Declaration {
  const fields: ReplayedFields = { ...before };
  for (const action of actions) replayOn(fields, action, history);
  return fields;
}

function replayOn(fields: ReplayedFields, action: EventAction, history: ActionHistory): void {
  for (const change of changesOf(action, history)) applyChange(fields, change);
}

/** Applies those of the answered request first. */
export function annotateBy(annotations: ReplayedFields, action: EventAction, history: ActionHistory): void {
  if (action.status !== 'Accepted') return;
  applyChange(annotations, history.originalOf(action)?.annotation ?? {});
  applyChange(annotations, action.annotation ?? {});
}

/** In the order of application. */
function changesOf(action: EventAction, history: ActionHistory): readonly DeclarationChange[] {
  const effect = LIFE_CYCLE[action.type].declaration;
  if (action.status !== 'Accepted' || effect === 'unchanged') return [];
  const own = [history.originalOf(action)?.declaration ?? {}, action.declaration];
  if (effect !== 'correction merged') return own;
  const requestId = action.requestId ?? history.originalOf(action)?.requestId ?? null;
  return [...requestedCorrection(requestId, history), ...own];
}

/** `requestId` may be of the Requested or the Accepted action. */
export function requestedCorrection(requestId: Uuid | null, history: ActionHistory): readonly DeclarationChange[] {
  const named = history.get(requestId);
  if (named?.type !== 'REQUEST_CORRECTION') return [];
  const request = history.originalOf(named) ?? named;
  const answer = history.answerTo(request);
  if (answer === undefined) return [request.declaration];
  return answer.status === 'Accepted' ? [request.declaration, answer.declaration] : [];
}

/** null removes a field. */
export function applyChange(fields: ReplayedFields, change: DeclarationChange): void {
  for (const [key, value] of Object.entries(change)) {
    // Field ids are data: an absent one must not reach the prototype.
    if (value === null) Reflect.deleteProperty(fields, key);
    else fields[key] = merged(Object.hasOwn(fields, key) ? fields[key] : undefined, value);
  }
}

/** Merges objects by member, where null removes; other values are replaced. */
function merged(before: DeclarationValue | undefined, change: ChangeValue): DeclarationValue {
  if (!isMap(change)) return isList(change) ? change.map((member) => merged(undefined, member)) : change;
  const members: ReplayedFields = before !== undefined && isMap(before) ? { ...before } : {};
  applyChange(members, change);
  return members;
}

const isList = (value: ChangeValue): value is readonly ChangeValue[] => Array.isArray(value);

const isMap = <T extends ChangeValue>(value: T): value is Extract<T, Readonly<Record<string, unknown>>> =>
  typeof value === 'object' && !isList(value);

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
