import { type NamedAction, settingsOf } from '../../../kernel/domain/event-configuration/action-settings.js';
import type { EventType } from '../../../kernel/domain/event-configuration/event-type.js';
import type { DeclarationChange } from '../../../kernel/domain/event-action.js';
import type { Issue } from '../../../kernel/errors/service-error.js';
import { checkValue, hasValue } from './checked-value.js';
import { FORM_FAULTS, FormFaults } from './form-faults.js';

/** Issues such as `annotation["print.copies"]: Required`; none without a form. Notifications may be incomplete. */
export function faultsOfAnnotation(
  type: EventType,
  action: NamedAction,
  annotation: DeclarationChange | null,
): readonly Issue[] {
  const form = settingsOf(type, action)?.form;
  if (form === undefined) return [];
  const isPartial = action.type === 'NOTIFY';
  const faults = new FormFaults('annotation');
  const given = annotation ?? {};
  for (const id of Object.keys(given)) if (!form.has(id)) faults.add(undefined, id, FORM_FAULTS.unexpected);
  const check = { faults, thoroughness: isPartial ? ('structural' as const) : ('complete' as const) };
  for (const { id, kind, isRequired } of form.values()) {
    const value = Object.hasOwn(given, id) ? given[id] : undefined;
    if (value !== undefined && value !== null) checkValue(kind, value, id, check);
    if (isRequired && !isPartial && !hasValue(value)) faults.add(undefined, id, FORM_FAULTS.required);
  }
  return faults.issues;
}
