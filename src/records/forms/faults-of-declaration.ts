import type { EventType } from '../../domain/event-configuration/event-type.js';
import { LIFE_CYCLE } from '../../domain/life-cycle/life-cycle.js';
import type { Declaration, DeclarationValue } from '../../domain/record/declaration.js';
import type { ActionType, DeclarationChange } from '../../domain/record/event-action.js';
import { INVALID_INPUT } from '../../errors/faults.js';
import { memberPath } from '../../errors/issue-path.js';
import type { Issue } from '../../errors/service-error.js';
import { ServiceError } from '../../errors/service-error.js';
import { applyChange } from '../project/replay-declaration.js';
import type { ValueFault } from './checked-value.js';
import { faultsOfValue, FORM_FAULTS, hasValue } from './checked-value.js';

/** A declaration that an action would change. */
export interface DeclaredChange {
  readonly action: ActionType;
  /** Of the event as it is; empty for a new one. */
  readonly before: Declaration;
  readonly change: DeclarationChange;
}

/** How many faults are listed (G-4). */
const MOST = 100;

/**
 * What the form of the event's type refuses (E-3, E-17), as issues `declaration["child.dob"]: Invalid date field`; none
 * for a type without a form. What an action changes is checked as it would be stored; a declaration or registration as
 * a whole, with what is required. `LIFE_CYCLE` says how thoroughly each action is checked. Its cost grows with the size
 * of the form and of the declaration.
 */
export function faultsOfDeclaration(type: EventType, declared: DeclaredChange): readonly Issue[] {
  const { fields } = type;
  if (fields === undefined) return [];
  const issues: Issue[] = [];
  let unlisted = 0;
  for (const fault of faults(fields, declared)) {
    if (issues.length < MOST) issues.push({ message: `${pathOf(fault.at)}: ${fault.message}` });
    else unlisted += 1;
  }
  return unlisted === 0 ? issues : [...issues, { message: `body: has ${unlisted} more faults than are listed` }];
}

/** Throws 400 with the faults, if there are any. */
export function requireForm(type: EventType, declared: DeclaredChange): void {
  const issues = faultsOfDeclaration(type, declared);
  if (issues.length > 0) throw new ServiceError('BAD_REQUEST', INVALID_INPUT, { issues });
}

function* faults(
  fields: NonNullable<EventType['fields']>,
  { action, before, change }: DeclaredChange,
): Generator<ValueFault> {
  const { form } = LIFE_CYCLE[action];
  for (const id of Object.keys(change)) {
    const field = fields.get(id);
    if (field === undefined) yield { at: [id], message: FORM_FAULTS.unexpected };
    else if (form === 'correction' && !field.isCorrectable) yield { at: [id], message: FORM_FAULTS.uncorrectable };
  }
  const after: Record<string, DeclarationValue> = { ...before };
  applyChange(after, change);
  const thoroughness = form === 'structural' ? 'structural' : 'complete';
  for (const { id, kind, isRequired } of fields.values()) {
    const isAsked = form === 'complete' || Object.hasOwn(change, id);
    if (!isAsked) continue;
    const value = Object.hasOwn(after, id) ? after[id] : undefined;
    if (value !== undefined) {
      for (const { at, message } of faultsOfValue(kind, value, thoroughness)) yield { at: [id, ...at], message };
    }
    if (isRequired && form !== 'structural' && !hasValue(value)) yield { at: [id], message: FORM_FAULTS.required };
  }
}

/** The id of a field stands in brackets even where it is a plain name (E-17). */
const pathOf = ([id, ...members]: ValueFault['at']): string =>
  members.reduce<string>(memberPath, `declaration[${JSON.stringify(id)}]`);
