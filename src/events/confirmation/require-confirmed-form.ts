import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { DeclarationValue } from '../../kernel/domain/declaration.js';
import type { DeclarationChange, EventAction } from '../../kernel/domain/event-action.js';
import { requireForm } from '../records/forms/faults-of-declaration.js';
import { applyChange } from '../records/project/replay-declaration.js';
import { declarationBefore } from '../operations/decisions/declaration-before.js';
import type { CurrentEvent } from '../write/current-event.js';

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
