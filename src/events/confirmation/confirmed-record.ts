import type { DeclarationValue } from '../../kernel/domain/declaration.js';
import type { ActionType, DeclarationChange, EventAction } from '../../kernel/domain/event-action.js';
import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { EventStatus } from '../../kernel/domain/event-status.js';
import { refusalOf } from '../../kernel/domain/life-cycle/available-actions.js';
import { LIFE_CYCLE } from '../../kernel/domain/life-cycle/life-cycle.js';
import { declarationBefore } from '../operations/decisions/requirements.js';
import { requireForm } from '../records/forms/faults-of-forms.js';
import { applyChange } from '../records/project/replay-declaration.js';
import type { CurrentEvent } from '../write/current-event.js';

/**
 * Why a request can no longer be accepted, undefined if it can. An older request must not replace the values of a later
 * one that was accepted first. Otherwise the state of the record decides, as for a new action.
 */
export function whyGoneOn(
  { document: { actions }, record }: Pick<CurrentEvent, 'document' | 'record'>,
  requested: EventAction,
): string | undefined {
  const { type, customActionType } = requested;
  const later = acceptedLater(actions, requested);
  if (later !== undefined) {
    return `The record has gone on: '${later.type}' was requested after this '${type}', and is accepted.`;
  }
  if (FOLLOWING[record.status]?.includes(type) === true) return undefined;
  const flags = record.flags.filter((flag) => !flag.endsWith(':requested'));
  const refusal = refusalOf(type, { status: record.status, flags }, customActionType);
  return refusal === undefined ? undefined : `The record has gone on: ${refusal}`;
}

/** Actions that may be requested behind a waiting NOTIFY or DECLARE (`isAllowedWhilePending`). */
const FOLLOWING: Readonly<Partial<Record<EventStatus, readonly ActionType[]>>> = {
  NOTIFIED: ['NOTIFY', 'DECLARE'],
  DECLARED: ['DECLARE'],
};

/** An accepted action that depends on the state of the record, and that was requested after this one. */
function acceptedLater(actions: readonly EventAction[], requested: EventAction): EventAction | undefined {
  const at = actions.findIndex(({ id }) => id === requested.id);
  const earlier = new Set(actions.slice(0, at).map(({ id }) => id));
  return actions
    .slice(at + 1)
    .find(
      ({ type, status, originalActionId }) =>
        status === 'Accepted' &&
        LIFE_CYCLE[type].isGated &&
        (originalActionId === null || !earlier.has(originalActionId)),
    );
}

/**
 * Throws 400 with what the form of the event's type refuses of what an acceptance would store (E-3): what was requested,
 * with what the acceptance changes. It was checked when it was requested, but of the record as it then was: one of the
 * two that may wait, NOTIFY and DECLARE, is accepted before the other.
 */
export function requireConfirmedForm(
  configuration: EventConfiguration,
  event: Pick<CurrentEvent, 'document' | 'record'>,
  requested: EventAction,
  change: DeclarationChange,
): void {
  const before: Record<string, DeclarationValue> = { ...declarationBefore(event, requested) };
  applyChange(before, requested.declaration);
  const all: Record<string, DeclarationChange[string]> = {};
  // Field ids are data: `constructor` may be one, and is not looked for in the prototype.
  for (const id of Object.keys(requested.declaration)) {
    all[id] = Object.hasOwn(before, id) ? (before[id] ?? null) : null;
  }
  Object.assign(all, change);
  requireForm(configuration.typeOf(event.document.type), { action: requested.type, before, change: all });
}
