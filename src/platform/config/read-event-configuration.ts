import { actionKey } from '../../kernel/domain/event-configuration/event-configuration.js';
import type {
  ActionCondition,
  ActionSettings,
  DuplicateRule,
  EventType,
  FormField,
} from '../../kernel/domain/event-configuration/event-type.js';
import { SHIPPED_EVENT_TYPES } from '../../kernel/domain/event-configuration/shipped-event-types.js';
import { SEALED } from '../../kernel/domain/life-cycle/available-actions.js';
import { ACTION_STATUSES, ACTION_TYPES } from '../../kernel/domain/event-action.js';
import { INHERENT_FLAGS } from '../../kernel/domain/event-record.js';
import { type Faults, memberPath } from '../../kernel/errors/faults.js';
import { isObject } from '../../kernel/input/checks.js';
import { BoundedFaults } from '../../kernel/input/input.js';
import { outcomeOf, type Parsed } from '../../kernel/input/readers.js';
import { type ConfiguredAction, type ConfiguredType, EVENT_CONFIGURATION } from './event-configuration-file.js';
import { parseJson } from './shapes.js';

/** Each is a condition of one search that declaring and registering wait for. Fields in pairs make a few dozen. */
const MOST_COMPARISONS = 100;

/** By id (E-3, E-17). Faults have paths: those of shape come first; unresolved names follow only if there are none. */
export function readEventTypes(text: string): Parsed<ReadonlyMap<string, EventType>> {
  const faults = new BoundedFaults('file');
  const json = parseJson(text, faults);
  if (faults.none && !isObject(json)) faults.add('file', 'must be an object with the key events');
  const { events } = faults.none ? EVENT_CONFIGURATION.read(json, '', faults, 0) : { events: [] };
  if (faults.none) new References(faults).check(events);
  return outcomeOf(new Map(faults.none ? events.map((type) => [type.id, eventType(type)]) : []), faults);
}

/** Missing settings come from the shipped type, as far as its form has the fields. */
function eventType({ id, label, flags, actions, ...entry }: ConfiguredType): EventType {
  const fields = formOf(entry.fields);
  const shipped = SHIPPED_EVENT_TYPES.get(id);
  const known = (ids: readonly string[] = []): readonly string[] => ids.filter((field) => fields.has(field));
  return {
    id,
    label,
    fields,
    dateOfEvent: entry.dateOfEvent ?? known(shipped?.dateOfEvent),
    placeOfEvent: entry.placeOfEvent ?? known(shipped?.placeOfEvent),
    flags,
    actions: new Map(actions.map((action) => [keyOf(action), settingsOf(action)])),
    duplicates: entry.duplicates === null ? undefined : (entry.duplicates ?? shipped?.duplicates),
  };
}

const keyOf = (action: ConfiguredAction): string =>
  actionKey(action.type, action.type === 'CUSTOM' ? action.customActionType : null);

const settingsOf = ({ flags, condition, form }: ConfiguredAction): ActionSettings => ({
  flags: flags.map(({ id: flag, operation, condition: when }) => ({ flag, operation, condition: when })),
  condition,
  form: form && formOf(form),
});

type Field = Omit<ConfiguredType['fields'][number], 'secured' | 'uncorrectable'> &
  Partial<ConfiguredType['fields'][number]>;

const formOf = (fields: readonly Field[]): ReadonlyMap<string, FormField> =>
  new Map(
    fields.map(({ id, kind, label, required, secured = false, uncorrectable = false }) => [
      id,
      { id, kind, label, isRequired: required, isSecured: secured, isCorrectable: !uncorrectable },
    ]),
  );

class References {
  constructor(private readonly faults: Faults) {}

  check(types: readonly ConfiguredType[]): void {
    this.distinct(types, 'events', ({ id }) => id);
    for (const [at, type] of types.entries()) this.checkType(type, memberPath('events', at));
  }

  private checkType(type: ConfiguredType, path: string): void {
    const kinds = new Map(type.fields.map(({ id, kind }) => [id, kind]));
    this.distinct(type.fields, `${path}.fields`, ({ id }) => id);
    this.distinct(type.flags, `${path}.flags`, ({ id }) => id);
    this.distinct(type.actions, `${path}.actions`, keyOf);
    for (const [at, { id }] of type.flags.entries()) {
      if (isReserved(id)) this.faults.add(`${path}.flags[${at}].id`, 'is a flag that the service sets itself');
    }
    this.fieldsOf(type.dateOfEvent, `${path}.dateOfEvent`, kinds, ['DATE']);
    this.fieldsOf(type.placeOfEvent, `${path}.placeOfEvent`, kinds, ['LOCATION', 'ADDRESS']);
    const ofForms = type.actions.flatMap(({ form = [] }) => form.map(({ id, kind }) => [id, kind] as const));
    this.checkActions(type, path, new Map([...ofForms, ...kinds]));
    this.checkDuplicates(type.duplicates ?? undefined, `${path}.duplicates`, kinds);
  }

  private checkDuplicates(rule: DuplicateRule | undefined, path: string, kinds: ReadonlyMap<string, string>): void {
    const named = namesIn(rule, path);
    const comparisons = named.filter(({ path: place }) => place.endsWith('.field')).length;
    if (comparisons > MOST_COMPARISONS) {
      this.faults.add(path, `has ${comparisons} comparisons; at most ${MOST_COMPARISONS} are allowed`);
    }
    for (const one of named) this.isThere(one, kinds);
  }

  private checkActions(type: ConfiguredType, path: string, kinds: ReadonlyMap<string, string>): void {
    const custom = new Set(type.flags.map(({ id }) => id));
    for (const [at, action] of type.actions.entries()) {
      const own = `${path}.actions[${at}]`;
      this.distinct(action.form ?? [], `${own}.form`, ({ id }) => id);
      for (const named of namesIn(action.condition, `${own}.condition`)) this.isThere(named, kinds, custom);
      for (const [nth, { id: flag, operation, condition }] of action.flags.entries()) {
        const place = `${own}.flags[${nth}]`;
        const isInherent = INHERENT_FLAGS.some((inherent) => inherent === flag);
        if (isInherent && operation === 'add') {
          this.faults.add(`${place}.operation`, 'must be remove: the service itself sets an inherent flag');
        } else if (!isInherent && !custom.has(flag)) {
          this.faults.add(`${place}.id`, 'must be one of the flags of this event type, or an inherent flag');
        }
        for (const named of namesIn(condition, `${place}.condition`)) this.isThere(named, kinds, custom);
      }
    }
  }

  private isThere(
    { kind, name, path }: NamedInRule,
    kinds: ReadonlyMap<string, string>,
    custom: ReadonlySet<string> = new Set(),
  ): void {
    if (kind === 'field') this.hasField(kinds, name, path);
    else if (!custom.has(name) && !isReserved(name)) {
      this.faults.add(path, 'must be one of the flags of this event type, or one that the service sets');
    }
  }

  private fieldsOf(
    ids: readonly string[] | undefined,
    path: string,
    kinds: ReadonlyMap<string, string>,
    allowed: readonly string[],
  ): void {
    for (const [at, id] of (ids ?? []).entries()) {
      const place = memberPath(path, at);
      const kind = kinds.get(id);
      if (kind === undefined) this.hasField(kinds, id, place);
      else if (!allowed.includes(kind)) this.faults.add(place, `must be a field of the kind ${allowed.join(' or ')}`);
    }
  }

  private hasField(kinds: ReadonlyMap<string, string>, id: string, path: string): void {
    if (!kinds.has(id))
      this.faults.add(path, `must be one of the fields of this event type, not ${JSON.stringify(id)}`);
  }

  private distinct<T>(items: readonly T[], path: string, nameOf: (item: T) => string): void {
    const seen = new Set<string>();
    for (const [at, one] of items.entries()) {
      const name = nameOf(one);
      if (seen.has(name)) this.faults.add(memberPath(path, at), `repeats ${name}`);
      seen.add(name);
    }
  }
}

interface NamedInRule {
  readonly kind: 'field' | 'flag';
  readonly name: string;
  readonly path: string;
}

function namesIn(rule: ActionCondition | DuplicateRule | undefined, path: string): readonly NamedInRule[] {
  const field = (name: string, key: string): NamedInRule => ({ kind: 'field', name, path: `${path}.${key}` });
  switch (rule?.type) {
    case undefined:
    case 'role':
    case 'userType':
    case 'status':
      return [];
    case 'flag':
      return [{ kind: 'flag', name: rule.flag, path: `${path}.flag` }];
    case 'and':
    case 'or':
      return rule.clauses.flatMap((clause, at) => namesIn(clause, `${path}.clauses[${at}]`));
    case 'not':
      return namesIn(rule.clause, `${path}.clause`);
    case 'equals':
    case 'present':
    case 'olderThan':
      return [field(rule.field, 'field')];
    case 'fuzzy':
    case 'strict':
    case 'dateRange':
      return [field(rule.field, 'field'), ...(rule.with === undefined ? [] : [field(rule.with, 'with')])];
  }
}

const OUTCOMES = new Set(
  ACTION_TYPES.flatMap((type) => ACTION_STATUSES.map((status) => `${type}:${status}`.toLowerCase())),
);

const isReserved = (flag: string): boolean =>
  flag === SEALED || OUTCOMES.has(flag) || INHERENT_FLAGS.some((inherent) => inherent === flag);
