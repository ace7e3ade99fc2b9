import { ACTION_TYPES, type ActionType } from '../../kernel/domain/event-action.js';
import {
  type ActionCondition,
  type DuplicateRule,
  EVENT_TYPE_NAME,
  EVENT_TYPE_NAMES,
  FIELD_KINDS,
  type FlagCondition,
  isEventTypeName,
} from '../../kernel/domain/event-configuration/event-type.js';
import { EVENT_STATUSES, USER_TYPES } from '../../kernel/domain/event-record.js';
import { LIFE_CYCLE } from '../../kernel/domain/life-cycle/life-cycle.js';
import { NAME as NAME_READER } from '../../kernel/input/readers.js';
import {
  choice,
  described,
  list,
  nested,
  object,
  optional,
  orElse,
  scalar,
  type Schema,
  type Shape,
  tagged,
  type ValueOf,
} from './shapes.js';

/** Refused in every declaration and search. */
const UNUSABLE_KEY = '__proto__';
/** A hundred years. */
const MOST_DAYS = 36_525;

const NAME = scalar(NAME_READER, { type: 'string', minLength: 1, maxLength: 256 });

const LABEL = orElse<string | null>(NAME, null);

const FIELD_ID = scalar(
  {
    expected: `${NAME_READER.expected}, other than ${UNUSABLE_KEY}`,
    read: (value) => (value === UNUSABLE_KEY ? undefined : NAME_READER.read(value)),
  },
  { ...NAME.schema, not: { const: UNUSABLE_KEY } },
);

const TYPE_NAME = scalar(
  {
    expected: `must be a name ${EVENT_TYPE_NAMES}`,
    read: (value) => (typeof value === 'string' && isEventTypeName(value) ? value : undefined),
  },
  { type: 'string', pattern: EVENT_TYPE_NAME.source, description: `A name ${EVENT_TYPE_NAMES}` },
);

const BOOLEAN = scalar(
  { expected: 'must be true or false', read: (value) => (typeof value === 'boolean' ? value : undefined) },
  { type: 'boolean', default: false },
);

const DAYS = scalar(
  {
    expected: `must be a whole number from 0 to ${MOST_DAYS}`,
    read: (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_DAYS ? value : undefined,
  },
  { type: 'integer', minimum: 0, maximum: MOST_DAYS },
);

const SCALAR = scalar(
  {
    expected: 'must be text, a number, true or false',
    read: (value) =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined,
  },
  { type: ['string', 'number', 'boolean'] },
);

/** One name or a list of them. */
const namesOf = (description: string): Shape<readonly string[]> => ({
  schema: { description, oneOf: [NAME.schema, NAMES.schema] },
  read: (value, ...where) => (typeof value === 'string' ? [NAME.read(value, ...where)] : NAMES.read(value, ...where)),
});
const NAMES = list(NAME, 1);

const said = (description: string) => orElse(described(BOOLEAN, description), false);

const ACTION_FIELD = {
  id: FIELD_ID,
  kind: choice(FIELD_KINDS),
  label: LABEL,
  required: said('The action needs a value'),
};

const FIELD = {
  ...ACTION_FIELD,
  kind: described(ACTION_FIELD.kind, 'The kind of its value; LOCATION is the UUID of a place'),
  required: said('A declaration and a registration need a value'),
  secured: said('Kept from callers who may not read the record'),
  uncorrectable: said('A correction may not change it'),
};

function combined<T>(rule: Shape<T>) {
  const several = { clauses: list(rule, 1) };
  return { and: several, or: several, not: { clause: rule } };
}

const FLAG_CONDITION: Shape<FlagCondition> = nested('condition', () => FLAG_CONDITIONS);
const ACTION_CONDITION: Shape<ActionCondition> = nested('actionCondition', () => ACTION_CONDITIONS);
const RULE: Shape<DuplicateRule> = nested('rule', () => RULES);

const ON_ACTION = {
  equals: { field: NAME, value: SCALAR },
  present: { field: NAME },
  olderThan: { field: NAME, days: DAYS },
  role: { roles: NAMES },
  userType: { userType: choice(USER_TYPES) },
};

const FLAG_CONDITIONS: Shape<FlagCondition> = described(
  tagged({ ...combined(FLAG_CONDITION), ...ON_ACTION }),
  'What must hold when the action is accepted',
);

const ACTION_CONDITIONS: Shape<ActionCondition> = described(
  tagged({
    ...combined(ACTION_CONDITION),
    ...ON_ACTION,
    flag: { flag: described(NAME, 'One that the record has before the action') },
    status: { statuses: list(choice(EVENT_STATUSES), 1) },
  }),
  'What must hold for the action to be requested',
);

const COMPARED = { field: NAME, with: optional(NAME) };

const RULES: Shape<DuplicateRule> = described(
  tagged({ ...combined(RULE), fuzzy: COMPARED, strict: COMPARED, dateRange: { ...COMPARED, days: DAYS } }),
  'A clause whose field has no value is void. `with`: the other record’s field, if it is a different one',
);

const FLAG_CHANGE = object({
  id: described(NAME, 'One of the flags of this event type, or an inherent one to be removed'),
  operation: choice(['add', 'remove']),
  condition: optional(FLAG_CONDITION),
});

const ACTION = {
  flags: orElse(list(FLAG_CHANGE, 1), []),
  condition: optional(ACTION_CONDITION),
  form: optional(described(list(object(ACTION_FIELD)), 'What the annotation of the action may have; absent: anything')),
};

const CONFIGURABLE_ACTIONS = ACTION_TYPES.filter(
  (type) => LIFE_CYCLE[type].isUpdate || LIFE_CYCLE[type].potentialDuplicates !== undefined,
);

const ACTIONS = tagged({
  ...(Object.fromEntries(CONFIGURABLE_ACTIONS.map((type) => [type, ACTION])) as Record<ActionType, typeof ACTION>),
  CUSTOM: { customActionType: NAME, ...ACTION },
});

const EVENT_TYPE = object({
  id: TYPE_NAME,
  label: LABEL,
  fields: list(object(FIELD), 1),
  dateOfEvent: optional(namesOf('The fields that tell the date: the first one with a date counts')),
  placeOfEvent: optional(namesOf('The fields that tell the place: the first one with a place counts')),
  flags: orElse(list(object({ id: NAME, label: LABEL })), []),
  actions: orElse(list(ACTIONS), []),
  duplicates: optional<DuplicateRule | null>({
    schema: {
      description: 'When two records are taken for the same event; null: never; absent: the rule that ships',
      oneOf: [RULE.schema, { type: 'null' }],
    },
    read: (value, ...where) => (value === null ? null : RULE.read(value, ...where)),
  }),
});

export type ConfiguredType = ValueOf<typeof EVENT_TYPE>;
export type ConfiguredAction = ValueOf<typeof ACTIONS>;

/** `EVENT_CONFIG_FILE`, without look-ups of what it names (E-17). */
export const EVENT_CONFIGURATION = object({ $schema: optional(NAME), events: list(EVENT_TYPE, 1) });

/** Its JSON Schema (E-17), which `npm run schema:events` writes to `examples/`. */
export const EVENT_CONFIGURATION_SCHEMA: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Event types of a country',
  ...EVENT_CONFIGURATION.schema,
  $defs: { condition: FLAG_CONDITIONS.schema, actionCondition: ACTION_CONDITIONS.schema, rule: RULES.schema },
};
