import type { Declaration } from '../../../kernel/domain/declaration.js';
import type { ActionType, ChangeValue, DeclarationChange } from '../../../kernel/domain/event-action.js';
import { type NamedAction, settingsOf } from '../../../kernel/domain/event-configuration/action-settings.js';
import type { EventType } from '../../../kernel/domain/event-configuration/event-type.js';
import { DATES_WITHOUT_FORM } from '../../../kernel/domain/event-configuration/shipped-event-types.js';
import { LIFE_CYCLE } from '../../../kernel/domain/life-cycle/life-cycle.js';
import { INVALID_INPUT } from '../../../kernel/errors/faults.js';
import { type Issue, ServiceError } from '../../../kernel/errors/service-error.js';
import { applyChange } from '../project/replay-declaration.js';
import { checkValue, FORM_FAULTS, FormFaults, hasValue } from './checked-value.js';

export interface DeclaredChange {
  readonly action: ActionType;
  /** Empty for a new event. */
  readonly before: Declaration;
  readonly change: DeclarationChange;
}

/**
 * Issues of the type's form (E-3, E-17), such as `declaration["child.dob"]: Invalid date field`. Changes are checked as
 * stored; declarations and registrations as a whole, by `LIFE_CYCLE`. Without a form only changed dates are checked.
 * Linear: a megabyte of keys costs half of its parsing.
 */
export function faultsOfDeclaration({ fields }: EventType, declared: DeclaredChange): readonly Issue[] {
  const { action, change } = declared;
  const { form } = LIFE_CYCLE[action];
  const faults = new FormFaults();
  for (const id of Object.keys(change)) {
    if (fields === undefined) break;
    const field = fields.get(id);
    if (field === undefined) faults.add(undefined, id, FORM_FAULTS.unexpected);
    else if (form === 'correction' && !field.isCorrectable) faults.add(undefined, id, FORM_FAULTS.uncorrectable);
  }
  const check = { faults, thoroughness: form === 'structural' ? form : ('complete' as const) };
  for (const { id, kind, isRequired } of fields?.values() ?? WITHOUT_FORM) {
    const isWhole = form === 'complete' && fields !== undefined;
    if (!isWhole && !Object.hasOwn(change, id)) continue;
    const value = valueAfter(declared, id);
    if (value !== undefined) checkValue(kind, value, id, check);
    if (isRequired && form !== 'structural' && !hasValue(value)) faults.add(undefined, id, FORM_FAULTS.required);
  }
  return faults.issues;
}

const WITHOUT_FORM = [...DATES_WITHOUT_FORM].map((id) => ({ id, kind: 'DATE' as const, isRequired: false }));

/** Throws 400. */
export function requireForm(type: EventType, declared: DeclaredChange): void {
  const issues = faultsOfDeclaration(type, declared);
  if (issues.length > 0) throw new ServiceError('BAD_REQUEST', INVALID_INPUT, { issues });
}

/** The merged value; not copied if nothing is merged. */
function valueAfter({ before, change }: DeclaredChange, id: string): ChangeValue | undefined {
  const declared = Object.hasOwn(before, id) ? before[id] : undefined;
  if (!Object.hasOwn(change, id)) return declared;
  const changed = change[id] ?? undefined;
  if (changed === undefined || declared === undefined || typeof declared !== 'object') return changed;
  const merged = { [id]: declared };
  applyChange(merged, { [id]: changed });
  return merged[id];
}

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
