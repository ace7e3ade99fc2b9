import type { ActionType, EventAction } from '../event-action.js';
import { builtInCustomAction } from '../life-cycle/available-actions.js';
import type { CopyName, SecuredFields } from '../secured-fields.js';
import { type ActionSettings, type EventType, UNORDERED_KINDS } from './event-type.js';
import { DATES_WITHOUT_FORM, SHIPPED_EVENT_TYPES, withoutForm } from './shipped-event-types.js';

export type NamedAction = Pick<EventAction, 'type' | 'customActionType'>;

/** A notification without settings of its own uses those of a declaration. */
export function settingsOf(
  { actions }: EventType,
  { type, customActionType }: NamedAction,
): ActionSettings | undefined {
  const own = actions.get(actionKey(type, customActionType));
  return own ?? (type === 'NOTIFY' ? actions.get(actionKey('DECLARE', null)) : undefined);
}

/** Without a form every custom action exists, otherwise those listed. */
export const isConfigured = ({ actions, fields }: EventType, { type, customActionType }: NamedAction): boolean =>
  type !== 'CUSTOM' ||
  fields === undefined ||
  builtInCustomAction(customActionType) !== undefined ||
  actions.has(actionKey(type, customActionType));

const COPIES: readonly CopyName[] = ['dateOfEvent', 'placeOfEvent'];

/** Secured fields, and copies of them in `dateOfEvent` and `placeOfEvent` (E-10). */
export const securedFieldsOf = (types: Iterable<EventType>): SecuredFields =>
  new Map(
    [...types].flatMap(({ id, fields, ...type }) => {
      const secured = [...(fields?.values() ?? [])].flatMap((field) => (field.isSecured ? [field.id] : []));
      if (secured.length === 0) return [];
      const fieldIds = new Set(secured);
      return [
        [id, { fieldIds, copies: new Set(COPIES.filter((copy) => type[copy].some((from) => fieldIds.has(from)))) }],
      ];
    }),
  );

/** The registered event types and their configuration (E-3). Equal in all processes. */
export class EventConfiguration {
  /** Hidden from callers who may not read a record (E-10). */
  readonly secured: SecuredFields;
  /** Dates in a form, or by default where a type has no form (S-10). */
  readonly dateFields: ReadonlySet<string>;
  /** Fields whose values have no order in any form (S-12). */
  readonly unorderedFields: ReadonlySet<string>;

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

  /** Other types still arrive from trigger feeds and imports. */
  isKnown(type: string): boolean {
    return this.types.includes(type);
  }

  /** The configured or shipped settings; empty for any other type. */
  typeOf(type: string): EventType {
    return this.configured.get(type) ?? SHIPPED_EVENT_TYPES.get(type) ?? withoutForm(type);
  }
}

/** The message of a 400 for a type that cannot be created (E-3, records: create). */
export const noConfigurationFor = (type: string): string => `No configuration found for event type: ${type}`;

export const actionKey = (type: ActionType, customActionType: string | null): string =>
  type === 'CUSTOM' ? `CUSTOM ${customActionType ?? ''}` : type;
