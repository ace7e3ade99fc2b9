import { ACTION_TYPES, type ActionType } from '../../kernel/domain/event-action.js';
import { actionKey } from '../../kernel/domain/event-configuration/event-configuration.js';
import {
  type ActionCondition,
  type ConditionOnAction,
  type CustomFlag,
  type DuplicateRule,
  FIELD_KINDS,
  type FlagChange,
  type FlagCondition,
  type FormField,
} from '../../kernel/domain/event-configuration/event-type.js';
import { EVENT_STATUSES, USER_TYPES } from '../../kernel/domain/event-record.js';
import { LIFE_CYCLE } from '../../kernel/domain/life-cycle/life-cycle.js';
import type { Faults } from '../../kernel/errors/faults.js';
import { isObject } from '../../kernel/input/checks.js';
import { Members, NAME, oneOf, type Reader } from '../../kernel/input/readers.js';
import { BOOLEAN, DAYS, DEEPEST, EVENT_TYPE, FIELD_ID, ifGiven, item, listOf, names, SCALAR } from './readers.js';

type Parse<T> = (value: unknown, path: string, faults: Faults, depth: number) => T | undefined;

type Kinds<T extends { readonly type: string }> = { readonly [Type in T['type']]: readonly string[] };

const CONDITIONS: Kinds<FlagCondition> = {
  and: ['clauses'],
  or: ['clauses'],
  not: ['clause'],
  equals: ['field', 'value'],
  present: ['field'],
  olderThan: ['field', 'days'],
  role: ['roles'],
  userType: ['userType'],
};

const ACTION_CONDITIONS: Kinds<ActionCondition> = { ...CONDITIONS, flag: ['flag'], status: ['statuses'] };

const RULES: Kinds<DuplicateRule> = {
  and: ['clauses'],
  or: ['clauses'],
  not: ['clause'],
  fuzzy: ['field', 'with'],
  strict: ['field', 'with'],
  dateRange: ['field', 'days', 'with'],
};

const CONDITION_TYPE = oneOf(Object.keys(CONDITIONS) as readonly FlagCondition['type'][]);
const ACTION_CONDITION_TYPE = oneOf(Object.keys(ACTION_CONDITIONS) as readonly ActionCondition['type'][]);
const RULE_TYPE = oneOf(Object.keys(RULES) as readonly DuplicateRule['type'][]);
const USER_TYPE = oneOf(USER_TYPES);
const STATUS = oneOf(EVENT_STATUSES);

export const parseFlagCondition: Parse<FlagCondition> = (value, path, faults, depth) => {
  const rule = ruleOf(value, path, faults, { type: CONDITION_TYPE, keys: CONDITIONS, depth });
  if (rule === undefined) return undefined;
  const { type, members } = rule;
  switch (type) {
    case 'and':
    case 'or':
      return { type, clauses: members.parsed('clauses', clausesOf(parseFlagCondition, depth)) };
    case 'not': {
      const clause = members.parsed('clause', (of, at) => parseFlagCondition(of, at, faults, depth + 1));
      return clause && { type, clause };
    }
    default:
      return onAction(type, members);
  }
};

export const parseActionCondition: Parse<ActionCondition> = (value, path, faults, depth) => {
  const rule = ruleOf(value, path, faults, { type: ACTION_CONDITION_TYPE, keys: ACTION_CONDITIONS, depth });
  if (rule === undefined) return undefined;
  const { type, members } = rule;
  switch (type) {
    case 'and':
    case 'or':
      return { type, clauses: members.parsed('clauses', clausesOf(parseActionCondition, depth)) };
    case 'not': {
      const clause = members.parsed('clause', (of, at) => parseActionCondition(of, at, faults, depth + 1));
      return clause && { type, clause };
    }
    case 'flag':
      return { type, flag: members.required('flag', NAME) };
    case 'status':
      return { type, statuses: members.parsed('statuses', listOf(item(STATUS), 1)) };
    default:
      return onAction(type, members);
  }
};

function onAction(type: ConditionOnAction['type'], members: Members): ConditionOnAction {
  switch (type) {
    case 'equals':
      return { type, field: members.required('field', NAME), value: members.required('value', SCALAR) };
    case 'present':
      return { type, field: members.required('field', NAME) };
    case 'olderThan':
      return { type, field: members.required('field', NAME), days: members.required('days', DAYS) };
    case 'role':
      return { type, roles: members.parsed('roles', listOf(item(NAME), 1)) };
    case 'userType':
      return { type, userType: members.required('userType', USER_TYPE) };
  }
}

export const parseDuplicateRule: Parse<DuplicateRule> = (value, path, faults, depth) => {
  const rule = ruleOf(value, path, faults, { type: RULE_TYPE, keys: RULES, depth });
  if (rule === undefined) return undefined;
  const { type, members } = rule;
  const other = (): { readonly with?: string } => {
    const name = members.optional('with', NAME);
    return name === undefined ? {} : { with: name };
  };
  switch (type) {
    case 'and':
    case 'or':
      return { type, clauses: members.parsed('clauses', clausesOf(parseDuplicateRule, depth)) };
    case 'not': {
      const clause = members.parsed('clause', (of, at) => parseDuplicateRule(of, at, faults, depth + 1));
      return clause && { type, clause };
    }
    case 'fuzzy':
    case 'strict':
      return { type, field: members.required('field', NAME), ...other() };
    case 'dateRange':
      return { type, field: members.required('field', NAME), days: members.required('days', DAYS), ...other() };
  }
};

const clausesOf =
  <T>(parse: Parse<T>, depth: number) =>
  (value: unknown, path: string, faults: Faults): readonly T[] =>
    listOf((clause, at) => parse(clause, at, faults, depth + 1), 1)(value, path, faults);

interface Shape<Type extends string> {
  readonly type: Reader<Type>;
  readonly keys: Readonly<Record<Type, readonly string[]>>;
  readonly depth: number;
}

function ruleOf<Type extends string>(
  value: unknown,
  path: string,
  faults: Faults,
  { type, keys, depth }: Shape<Type>,
): { readonly type: Type; readonly members: Members } | undefined {
  if (depth > DEEPEST) {
    faults.add(path, `may be at most ${DEEPEST} levels deep`);
    return undefined;
  }
  const members = Members.of(value, path, faults);
  if (members === undefined) return undefined;
  const found = members.parsed('type', item(type));
  if (found === undefined) return undefined;
  members.refuseOthersThan(new Set(['type', ...keys[found]]));
  return { type: found, members };
}

export interface ConfiguredType {
  readonly id: string;
  readonly label: string | null;
  readonly fields: readonly FormField[];
  readonly dateOfEvent: readonly string[] | undefined;
  readonly placeOfEvent: readonly string[] | undefined;
  readonly flags: readonly CustomFlag[];
  readonly actions: readonly ConfiguredAction[];
  /** Null: none; undefined: the shipped rules. */
  readonly duplicates: DuplicateRule | null | undefined;
}

export interface ConfiguredAction {
  /** The `actionKey`; undefined if a custom action lacks a name, or another action has one. */
  readonly key: string;
  readonly flags: readonly FlagChange[];
  readonly condition: ActionCondition | undefined;
  readonly form: readonly FormField[] | undefined;
}

export const CONFIGURABLE_ACTIONS = ACTION_TYPES.filter(
  (type) => LIFE_CYCLE[type].isUpdate || LIFE_CYCLE[type].potentialDuplicates !== undefined,
);

const ACTION = oneOf(CONFIGURABLE_ACTIONS);
const KIND = oneOf(FIELD_KINDS);
const OPERATION = oneOf(['add', 'remove']);

/** Without look-ups (E-17). */
export function parseEventTypes(value: unknown, faults: Faults): readonly ConfiguredType[] {
  if (!isObject(value)) faults.add('file', 'must be an object with the key events');
  const members = isObject(value) ? Members.of(value, '', faults) : undefined;
  members?.refuseOthersThan(new Set(['$schema', 'events']));
  members?.optional('$schema', NAME);
  return members?.parsed('events', listOf(parseType, 1)) ?? [];
}

const TYPE_KEYS = new Set(
  ['id', 'label', 'fields', 'dateOfEvent', 'placeOfEvent', 'flags', 'actions', 'duplicates'], //
);

function parseType(value: unknown, path: string, faults: Faults): ConfiguredType | undefined {
  const members = Members.of(value, path, faults);
  if (members === undefined) return undefined;
  members.refuseOthersThan(TYPE_KEYS);
  return {
    id: members.required('id', EVENT_TYPE),
    label: members.optional('label', NAME) ?? null,
    fields: members.parsed('fields', listOf(fieldWith(FIELD_KEYS), 1)),
    dateOfEvent: members.parsed('dateOfEvent', names),
    placeOfEvent: members.parsed('placeOfEvent', names),
    flags: members.parsed('flags', listOf(parseFlag)),
    actions: members.parsed('actions', listOf(parseAction)),
    duplicates: members.parsed('duplicates', (rule, at) =>
      rule === undefined || rule === null ? rule : parseDuplicateRule(rule, at, faults, 1),
    ),
  };
}

/** In an action's own form. */
const ACTION_FIELD_KEYS = ['id', 'kind', 'label', 'required'];
const FIELD_KEYS = [...ACTION_FIELD_KEYS, 'secured', 'uncorrectable'];

const fieldWith =
  (keys: readonly string[]) =>
  (value: unknown, path: string, faults: Faults): FormField | undefined => {
    const members = Members.of(value, path, faults);
    if (members === undefined) return undefined;
    members.refuseOthersThan(new Set(keys));
    const isSaid = (key: string): boolean => keys.includes(key) && (members.optional(key, BOOLEAN) ?? false);
    return {
      id: members.required('id', FIELD_ID),
      kind: members.required('kind', KIND),
      label: members.optional('label', NAME) ?? null,
      isRequired: isSaid('required'),
      isSecured: isSaid('secured'),
      isCorrectable: !isSaid('uncorrectable'),
    };
  };

function parseFlag(value: unknown, path: string, faults: Faults): CustomFlag | undefined {
  const members = Members.of(value, path, faults);
  members?.refuseOthersThan(new Set(['id', 'label']));
  return members && { id: members.required('id', NAME), label: members.optional('label', NAME) ?? null };
}

const ACTION_KEYS = ['type', 'flags', 'condition', 'form'];

function parseAction(value: unknown, path: string, faults: Faults): ConfiguredAction | undefined {
  const members = Members.of(value, path, faults);
  if (members === undefined) return undefined;
  const type: ActionType = members.required('type', ACTION);
  members.refuseOthersThan(new Set([...ACTION_KEYS, ...(type === 'CUSTOM' ? ['customActionType'] : [])]));
  return {
    key: actionKey(type, type === 'CUSTOM' ? members.required('customActionType', NAME) : null),
    flags: members.parsed('flags', ifGiven(listOf(parseChange, 1))) ?? [],
    condition: members.parsed(
      'condition',
      ifGiven((condition, at) => parseActionCondition(condition, at, faults, 1)),
    ),
    form: members.parsed('form', ifGiven(listOf(fieldWith(ACTION_FIELD_KEYS)))),
  };
}

function parseChange(value: unknown, path: string, faults: Faults): FlagChange | undefined {
  const members = Members.of(value, path, faults);
  if (members === undefined) return undefined;
  members.refuseOthersThan(new Set(['id', 'operation', 'condition']));
  return {
    flag: members.required('id', NAME),
    operation: members.required('operation', OPERATION),
    condition: members.parsed(
      'condition',
      ifGiven((condition, at) => parseFlagCondition(condition, at, faults, 1)),
    ),
  };
}
