import { utcDayOf } from '../../../kernel/domain/calendar.js';
import { settingsOf } from '../../../kernel/domain/event-configuration/action-settings.js';
import { actionConditionHolds } from '../../../kernel/domain/event-configuration/conditions.js';
import type { EventConfiguration } from '../../../kernel/domain/event-configuration/event-configuration.js';
import { ownValue } from '../../../kernel/domain/declaration.js';
import type { EventAction } from '../../../kernel/domain/event-action.js';
import { ServiceError } from '../../../kernel/errors/service-error.js';
import { ActionHistory } from '../../records/project/action-history.js';
import { annotateBy, applyChange, type ReplayedFields } from '../../records/project/replay-declaration.js';
import { acceptanceOf } from '../../write/acceptance.js';
import type { CurrentEvent } from '../../write/current-event.js';

/**
 * Throws 409 unless the configured condition holds, for the stored record, the declaration afterwards,
 * the annotations so far, and the caller. A new event is a draft.
 */
export function requireConditions(
  configuration: EventConfiguration,
  eventType: string,
  requested: EventAction,
  event?: CurrentEvent,
): void {
  const condition = settingsOf(configuration.typeOf(eventType), requested)?.condition;
  if (condition === undefined) return;
  const [declaration, annotations] = [declarationAfter(requested, event), annotationsAfter(requested, event)];
  const holds = actionConditionHolds(condition, {
    status: event?.record.status ?? 'CREATED',
    flags: event?.record.flags ?? [],
    valueOf: (id) => ownValue(declaration, id) ?? ownValue(annotations, id),
    role: requested.createdByRole,
    userType: requested.createdByUserType,
    day: utcDayOf(requested.createdAt),
  });
  if (holds) return;
  throw new ServiceError(
    'CONFLICT',
    `Conditions for action: ${requested.type} were not met, action cannot be performed`,
  );
}

function declarationAfter(requested: EventAction, event: CurrentEvent | undefined): Readonly<ReplayedFields> {
  if (event !== undefined) {
    const accepted = acceptanceOf(requested, requested.registrationNumber);
    return event.after([requested, accepted]).projected.record.declaration;
  }
  const fields: ReplayedFields = {};
  applyChange(fields, requested.declaration);
  return fields;
}

function annotationsAfter(requested: EventAction, event: CurrentEvent | undefined): ReplayedFields {
  const fields: ReplayedFields = {};
  const history = ActionHistory.of(event?.document.actions ?? []);
  for (const action of history.actions) annotateBy(fields, action, history);
  applyChange(fields, requested.annotation ?? {});
  return fields;
}
