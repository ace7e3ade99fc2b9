import type { ActionType } from '../event-action.js';
import type { SecuredFields } from '../secured-fields.js';
import { type EventType, UNORDERED_KINDS } from './event-type.js';
import { securedFieldsOf } from './secured-fields-of.js';
import { DATES_WITHOUT_FORM, SHIPPED_EVENT_TYPES, withoutForm } from './shipped-event-types.js';

/** The types of event that are registered here, and what is configured of each (E-3). The same in all processes. */
export class EventConfiguration {
  /** The fields that are kept from callers who may not read a record (E-10). */
  readonly secured: SecuredFields;
  /** The fields that a form has as a date, or that are one where a type has no form (S-10). */
  readonly dateFields: ReadonlySet<string>;
  /** The fields that hold values without an order wherever a form has them (S-12). */
  readonly unorderedFields: ReadonlySet<string>;

  /** `types`: those of which events may be created; `configured`: those that the configuration file describes. */
  constructor(
    readonly types: readonly string[],
    readonly configured: ReadonlyMap<string, EventType> = new Map(),
  ) {
    this.secured = securedFieldsOf(configured.values());
    const forms = types.flatMap((type) => this.typeOf(type).fields ?? []);
    const fields = forms.flatMap((form) => [...form.values()]);
    const others = new Set(fields.flatMap(({ id, kind }) => (kind === 'DATE' ? [] : [id])));
    const dates = fields.flatMap(({ id, kind }) => (kind === 'DATE' ? [id] : []));
    const ordered = new Set(fields.flatMap(({ id, kind }) => (UNORDERED_KINDS.has(kind) ? [] : [id])));
    this.unorderedFields = new Set(fields.map(({ id }) => id).filter((id) => !ordered.has(id)));
    const shipped = forms.length < types.length ? DATES_WITHOUT_FORM : [];
    this.dateFields = new Set([...dates, ...shipped].filter((id) => !others.has(id)));
  }

  /** Whether events of this type may be created. Others still arrive from a trigger feed or an import. */
  isKnown(type: string): boolean {
    return this.types.includes(type);
  }

  /** What is configured of a type, or ships for it; of any other type, that nothing is. */
  typeOf(type: string): EventType {
    return this.configured.get(type) ?? SHIPPED_EVENT_TYPES.get(type) ?? withoutForm(type);
  }
}

/** What it is made of, as plain data that can be sent to a thread. */
export type ConfigurationData = Pick<EventConfiguration, 'types' | 'configured'>;

/** The message of a 400 for a type of which no event may be created (E-3, records: create). */
export const noConfigurationFor = (type: string): string => `No configuration found for event type: ${type}`;

/** Under which key the configuration of an action stands: custom ones have one each. */
export const actionKey = (type: ActionType, customActionType: string | null): string =>
  type === 'CUSTOM' ? `CUSTOM ${customActionType ?? ''}` : type;
