import { EVENT_TYPE_NAME, EVENT_TYPE_NAMES, FIELD_KINDS } from '../../kernel/domain/event-configuration/event-type.js';
import { EVENT_STATUSES, USER_TYPES } from '../../kernel/domain/event-record.js';
import { CONFIGURABLE_ACTIONS } from './parse-event-configuration.js';
import { LONGEST_LIST, MOST_DAYS, UNUSABLE_KEY } from './readers.js';

type Schema = Readonly<Record<string, unknown>>;

const NAME = { type: 'string', minLength: 1, maxLength: 256 };
const FIELD_ID = { ...NAME, not: { const: UNUSABLE_KEY } };
const BOOLEAN = { type: 'boolean', default: false };
const DAYS = { type: 'integer', minimum: 0, maximum: MOST_DAYS };

const list = (items: Schema, minItems: number): Schema => ({
  type: 'array',
  minItems,
  maxItems: LONGEST_LIST,
  items,
});

const object = (properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties).filter((key) => !optional.includes(key)),
  properties,
});

const oneNameOrMore = (description: string): Schema => ({ description, oneOf: [NAME, list(NAME, 1)] });

const combined = (name: string): readonly Schema[] => {
  const rule = { $ref: `#/$defs/${name}` };
  return [
    object({ type: { enum: ['and', 'or'] }, clauses: list(rule, 1) }),
    object({ type: { const: 'not' }, clause: rule }),
  ];
};

const FIELD = object(
  {
    id: FIELD_ID,
    kind: { enum: FIELD_KINDS, description: 'The kind of its value; LOCATION is the UUID of a place' },
    label: NAME,
    required: { ...BOOLEAN, description: 'A declaration and a registration need a value' },
    secured: { ...BOOLEAN, description: 'Kept from callers who may not read the record' },
    uncorrectable: { ...BOOLEAN, description: 'A correction may not change it' },
  },
  ['label', 'required', 'secured', 'uncorrectable'],
);

const ACTION_FIELD = object(
  {
    id: FIELD_ID,
    kind: { enum: FIELD_KINDS },
    label: NAME,
    required: { ...BOOLEAN, description: 'The action needs a value' },
  },
  ['label', 'required'],
);

const ACTION: Schema = {
  ...object(
    {
      type: { enum: CONFIGURABLE_ACTIONS },
      customActionType: { ...NAME, description: 'Of the type CUSTOM, and only of that' },
      flags: list(
        object(
          {
            id: { ...NAME, description: 'One of the flags of this event type, or an inherent one to be removed' },
            operation: { enum: ['add', 'remove'] },
            condition: { $ref: '#/$defs/condition' },
          },
          ['condition'],
        ),
        1,
      ),
      condition: { $ref: '#/$defs/actionCondition' },
      form: {
        ...list(ACTION_FIELD, 0),
        description: 'What the annotation of the action may have; absent: anything',
      },
    },
    ['customActionType', 'flags', 'condition', 'form'],
  ),
  if: { required: ['type'], properties: { type: { const: 'CUSTOM' } } },
  then: { required: ['customActionType'] },
  else: { properties: { customActionType: false } },
};

const EVENT_TYPE = object(
  {
    id: { type: 'string', pattern: EVENT_TYPE_NAME.source, description: `A name ${EVENT_TYPE_NAMES}` },
    label: NAME,
    fields: list(FIELD, 1),
    dateOfEvent: oneNameOrMore('The fields that tell the date: the first one with a date counts'),
    placeOfEvent: oneNameOrMore('The fields that tell the place: the first one with a place counts'),
    flags: list(object({ id: NAME, label: NAME }, ['label']), 0),
    actions: list(ACTION, 0),
    duplicates: {
      description: 'When two records are taken for the same event; null: never; absent: the rule that ships',
      oneOf: [{ $ref: '#/$defs/rule' }, { type: 'null' }],
    },
  },
  ['label', 'dateOfEvent', 'placeOfEvent', 'flags', 'actions', 'duplicates'],
);

const ON_ACTION: readonly Schema[] = [
  object({ type: { const: 'equals' }, field: NAME, value: { type: ['string', 'number', 'boolean'] } }),
  object({ type: { const: 'present' }, field: NAME }),
  object({ type: { const: 'olderThan' }, field: NAME, days: DAYS }),
  object({ type: { const: 'role' }, roles: list(NAME, 1) }),
  object({ type: { const: 'userType' }, userType: { enum: USER_TYPES } }),
];

const CONDITION: Schema = {
  description: 'What must hold when the action is accepted',
  oneOf: [...combined('condition'), ...ON_ACTION],
};

const ACTION_CONDITION: Schema = {
  description: 'What must hold for the action to be requested',
  oneOf: [
    ...combined('actionCondition'),
    ...ON_ACTION,
    object({ type: { const: 'flag' }, flag: { ...NAME, description: 'One that the record has before the action' } }),
    object({ type: { const: 'status' }, statuses: list({ enum: EVENT_STATUSES }, 1) }),
  ],
};

const RULE: Schema = {
  description: 'A clause whose field has no value is void. `with`: the other record’s field, if it is a different one',
  oneOf: [
    ...combined('rule'),
    object({ type: { enum: ['fuzzy', 'strict'] }, field: NAME, with: NAME }, ['with']),
    object({ type: { const: 'dateRange' }, field: NAME, days: DAYS, with: NAME }, ['with']),
  ],
};

/**
 * The JSON Schema of EVENT_CONFIG_FILE (E-17). The parser also refuses duplicate and unresolved names. `npm run
 * schema:events` writes it to `examples/`.
 */
export const EVENT_CONFIGURATION_SCHEMA: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Event types of a country',
  ...object({ $schema: NAME, events: list(EVENT_TYPE, 1) }, ['$schema']),
  $defs: { condition: CONDITION, actionCondition: ACTION_CONDITION, rule: RULE },
};
