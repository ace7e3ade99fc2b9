import type {
  ActionCondition,
  ConditionOnAction,
  DuplicateRule,
  FlagCondition,
} from '../../kernel/domain/event-configuration/event-type.js';
import { EVENT_STATUSES } from '../../kernel/domain/event-status.js';
import { USER_TYPES } from '../../kernel/domain/author.js';
import type { Faults } from '../../kernel/errors/faults.js';
import { Members, type Reader } from '../../kernel/input/members.js';
import { NAME, oneOf } from '../../kernel/input/readers.js';
import { DAYS, DEEPEST, item, listOf, SCALAR } from './readers.js';

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
