import type { EventConfiguration } from '../../domain/event-configuration/event-configuration.js';
import type { DeclarationValue } from '../../domain/record/declaration.js';
import type { DeclarationChange, EventAction } from '../../domain/record/event-action.js';
import { requireForm } from '../../records/forms/faults-of-declaration.js';
import { applyChange } from '../../records/project/replay-declaration.js';
import { declarationBefore } from '../operations/decisions/declaration-before.js';
import type { CurrentEvent } from '../writer/current-event.js';

/**
 * Throws 400 with what the form of the event's type refuses of an acceptance that changes what was requested (E-3);
 * what was requested was checked when it was.
 */
export function requireConfirmedForm(
  configuration: EventConfiguration,
  event: Pick<CurrentEvent, 'document' | 'record'>,
  requested: EventAction,
  change: DeclarationChange,
): void {
  if (Object.keys(change).length === 0) return;
  const before: Record<string, DeclarationValue> = { ...declarationBefore(event, requested) };
  applyChange(before, requested.declaration);
  requireForm(configuration.typeOf(event.document.type), { action: requested.type, before, change });
}
