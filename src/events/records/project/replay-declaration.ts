import { LIFE_CYCLE } from '../../../kernel/domain/life-cycle/life-cycle.js';
import type { Declaration, DeclarationValue } from '../../../kernel/domain/declaration.js';
import type { ChangeValue, DeclarationChange, EventAction } from '../../../kernel/domain/event-action.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import type { ActionHistory } from './action-history.js';

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

export function replayOn(fields: ReplayedFields, action: EventAction, history: ActionHistory): void {
  for (const change of changesOf(action, history)) applyChange(fields, change);
}

/** Applies those of the answered request first. */
export function annotateBy(annotations: ReplayedFields, action: EventAction, history: ActionHistory): void {
  if (action.status !== 'Accepted') return;
  applyChange(annotations, history.originalOf(action)?.annotation ?? {});
  applyChange(annotations, action.annotation ?? {});
}

/** In the order of application. */
export function changesOf(action: EventAction, history: ActionHistory): readonly DeclarationChange[] {
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
