import { actionKey } from '../../kernel/domain/event-configuration/event-configuration.js';
import {
  type ActionCondition,
  type CustomFlag,
  type DuplicateRule,
  FIELD_KINDS,
  type FlagChange,
  type FormField,
} from '../../kernel/domain/event-configuration/event-type.js';
import { LIFE_CYCLE } from '../../kernel/domain/life-cycle/life-cycle.js';
import { ACTION_TYPES, type ActionType } from '../../kernel/domain/event-action.js';
import type { Faults } from '../../kernel/errors/faults.js';
import { isObject } from '../../kernel/input/checks.js';
import { Members } from '../../kernel/input/members.js';
import { NAME, oneOf } from '../../kernel/input/readers.js';
import { parseActionCondition, parseDuplicateRule, parseFlagCondition } from './parse-rule.js';
import { BOOLEAN, EVENT_TYPE, FIELD_ID, ifGiven, listOf, names } from './readers.js';

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
