import { readFileSync } from 'node:fs';

import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';

import { Faults } from '../../kernel/errors/faults.js';
import { EVENT_CONFIGURATION, EVENT_CONFIGURATION_SCHEMA } from './event-configuration-file.js';
import { readEventTypes } from './read-event-configuration.js';

const EXAMPLE = readFileSync('examples/event-configuration.json', 'utf8');

const typesOf = (text: string) => {
  const read = readEventTypes(text);
  if (read.kind === 'faulty') throw new Error(read.issues.map(({ message }) => message).join('\n'));
  return read.value;
};

const faultsOf = (...events: readonly unknown[]) => {
  const read = readEventTypes(JSON.stringify({ events }));
  return read.kind === 'faulty' ? read.issues.map(({ message }) => message) : [];
};

const LATE = {
  type: 'and',
  clauses: [
    { type: 'olderThan', field: 'order.date', days: 30 },
    { type: 'not', clause: { type: 'equals', field: 'court', value: 'x' } },
    {
      type: 'or',
      clauses: [
        { type: 'present', field: 'court' },
        { type: 'role', roles: ['CLERK'] },
      ],
    },
    { type: 'userType', userType: 'user' },
  ],
};

const HEARD = {
  type: 'or',
  clauses: [
    { type: 'and', clauses: [{ type: 'flag', flag: 'heard' }] },
    { type: 'not', clause: { type: 'status', statuses: ['DECLARED', 'NOTIFIED'] } },
    { type: 'flag', flag: 'correction-requested' },
    { type: 'equals', field: 'order.number', value: '1' },
  ],
};

/** One entry with every kind of condition and rule. */
const ADOPTION = {
  id: 'adoption',
  label: 'Adoption',
  fields: [
    { id: 'child.name', kind: 'NAME', label: 'Name', required: true },
    { id: 'child.dob', kind: 'DATE', secured: true },
    { id: 'court', kind: 'LOCATION', uncorrectable: true },
    { id: 'order.date', kind: 'DATE' },
  ],
  dateOfEvent: 'order.date',
  placeOfEvent: ['court'],
  flags: [{ id: 'late' }, { id: 'heard', label: 'Heard' }],
  actions: [
    {
      type: 'DECLARE',
      flags: [{ id: 'late', operation: 'add', condition: LATE }],
    },
    { type: 'CUSTOM', customActionType: 'HEAR', flags: [{ id: 'incomplete', operation: 'remove' }] },
    { type: 'REGISTER', condition: HEARD, form: [{ id: 'order.number', kind: 'TEXT', label: 'No', required: true }] },
    { type: 'CUSTOM', customActionType: 'NOTE', form: [] },
  ],
  duplicates: {
    type: 'or',
    clauses: [
      { type: 'and', clauses: [{ type: 'fuzzy', field: 'child.name' }] },
      { type: 'not', clause: { type: 'strict', field: 'court', with: 'court' } },
      { type: 'dateRange', field: 'child.dob', days: 5, with: 'order.date' },
    ],
  },
};

const ORDER = { id: 'order', kind: 'DATE' };
const ORDER_NUMBER = {
  ...{ id: 'order.number', kind: 'TEXT', label: 'No' },
  ...{ isRequired: true, isSecured: false, isCorrectable: true },
};

describe('the event configuration (E-3, E-17)', () => {
  it('is read into forms, flags and rules', () => {
    expect(typesOf(JSON.stringify({ events: [ADOPTION] })).get('adoption')).toEqual({
      id: 'adoption',
      label: 'Adoption',
      fields: new Map(
        [
          { id: 'child.name', kind: 'NAME', label: 'Name', isRequired: true, isSecured: false, isCorrectable: true },
          { id: 'child.dob', kind: 'DATE', label: null, isRequired: false, isSecured: true, isCorrectable: true },
          { id: 'court', kind: 'LOCATION', label: null, isRequired: false, isSecured: false, isCorrectable: false },
          { id: 'order.date', kind: 'DATE', label: null, isRequired: false, isSecured: false, isCorrectable: true },
        ].map((field) => [field.id, field]),
      ),
      dateOfEvent: ['order.date'],
      placeOfEvent: ['court'],
      flags: [
        { id: 'late', label: null },
        { id: 'heard', label: 'Heard' },
      ],
      actions: new Map<string, unknown>([
        ['DECLARE', { flags: [{ flag: 'late', operation: 'add', condition: LATE }] }],
        ['CUSTOM HEAR', { flags: [{ flag: 'incomplete', operation: 'remove' }] }],
        ['REGISTER', { flags: [], condition: HEARD, form: new Map([['order.number', ORDER_NUMBER]]) }],
        ['CUSTOM NOTE', { flags: [], form: new Map() }],
      ]),
      duplicates: ADOPTION.duplicates,
    });
  });

  it('takes what an entry leaves out from what ships for its type, as far as the form has the fields', () => {
    const fields = [{ id: 'child.dob', kind: 'DATE' }];
    const [birth, adoption] = typesOf(
      JSON.stringify({ events: ['birth', 'adoption'].map((id) => ({ id, fields })) }),
    ).values();
    expect(birth).toMatchObject({ dateOfEvent: ['child.dob'], placeOfEvent: [], duplicates: { type: 'or' } });
    expect(adoption).toMatchObject({ dateOfEvent: [], placeOfEvent: [], duplicates: undefined });
    expect(typesOf(JSON.stringify({ events: [{ id: 'birth', fields, duplicates: null }] })).get('birth')).toMatchObject(
      {
        duplicates: undefined,
      },
    );
  });

  it('has an example for birth, death and marriage', () => {
    expect([...typesOf(EXAMPLE).keys()]).toEqual(['birth', 'death', 'marriage']);
  });

  it.each<[string, unknown, readonly string[]]>([
    ['an unknown key', { ...ADOPTION, colour: 1 }, ['events[0].colour: is not a known key']],
    [
      'a kind that does not exist',
      { ...ADOPTION, dateOfEvent: [], fields: [{ id: 'x', kind: 'TEXTE' }] },
      [
        'events[0].fields[0].kind: must be one of TEXT, EMAIL, DATE, AGE, TIME, DATE_RANGE, TIME_PERIOD, BOOLEAN, ' +
          'NUMBER, FILE, FILE_LIST, NAME, ADDRESS, LOCATION, VERIFICATION_STATUS, REQUEST_STATE, DATA, QUANTITY, ' +
          'LABEL_VALUE, GROUP',
        'events[0].dateOfEvent: must be a list of 1 to 2000',
      ],
    ],
    [
      'what is named and missing, or of another kind',
      { ...ADOPTION, dateOfEvent: ['child.name', 'dob'], flags: [{ id: 'sealed' }] },
      [
        'events[0].flags[0].id: is a flag that the service sets itself',
        'events[0].dateOfEvent[0]: must be a field of the kind DATE',
        'events[0].dateOfEvent[1]: must be one of the fields of this event type, not "dob"',
        'events[0].actions[0].flags[0].id: must be one of the flags of this event type, or an inherent flag',
        'events[0].actions[2].condition.clauses[0].clauses[0].flag: ' +
          'must be one of the flags of this event type, or one that the service sets',
      ],
    ],
    [
      'fields of rules and conditions that the form does not have',
      {
        ...ADOPTION,
        placeOfEvent: undefined,
        fields: [ADOPTION.fields[0], ADOPTION.fields[1], ADOPTION.fields[3]],
      },
      [
        'events[0].actions[0].flags[0].condition.clauses[1].clause.field',
        'events[0].actions[0].flags[0].condition.clauses[2].clauses[0].field',
        'events[0].duplicates.clauses[1].clause.field',
        'events[0].duplicates.clauses[1].clause.with',
      ].map((path) => `${path}: must be one of the fields of this event type, not "court"`),
    ],
    [
      'an inherent flag that an action would set',
      { ...ADOPTION, actions: [{ type: 'EDIT', flags: [{ id: 'rejected', operation: 'add' }] }] },
      ['events[0].actions[0].flags[0].operation: must be remove: the service itself sets an inherent flag'],
    ],
    [
      'what is there twice',
      {
        ...ADOPTION,
        fields: [...ADOPTION.fields, ADOPTION.fields[0]],
        actions: [...ADOPTION.actions, ADOPTION.actions[1]],
      },
      ['events[0].fields[4]: repeats child.name', 'events[0].actions[4]: repeats CUSTOM HEAR'],
    ],
    [
      'what the condition or the form of an action names twice, or names and does not have',
      {
        ...ADOPTION,
        actions: [
          { type: 'EDIT', condition: { type: 'flag', flag: 'seen' }, form: [{ id: 'x', kind: 'TEXT' }] },
          { type: 'REJECT', condition: { type: 'present', field: 'y' }, form: [1, 1].map(() => ORDER) },
          { type: 'ARCHIVE', condition: { type: 'present', field: 'x' } },
          { type: 'UNARCHIVE', condition: { type: 'flag', flag: 'archive:requested' } },
        ],
      },
      [
        'events[0].actions[0].condition.flag: must be one of the flags of this event type, or one that the service sets',
        'events[0].actions[1].form[1]: repeats order',
        'events[0].actions[1].condition.field: must be one of the fields of this event type, not "y"',
      ],
    ],
    [
      'a state in the condition of a flag, and what only fields of declarations have',
      {
        ...ADOPTION,
        actions: [
          { type: 'EDIT', flags: [{ id: 'late', operation: 'add', condition: { type: 'flag', flag: 'late' } }] },
          { type: 'REJECT', form: [{ ...ORDER, secured: true }] },
          { type: 'ARCHIVE', condition: { type: 'status', statuses: ['DONE'] } },
        ],
      },
      [
        'events[0].actions[0].flags[0].condition.type: must be one of and, or, not, equals, present, olderThan, role, userType',
        'events[0].actions[1].form[0].secured: is not a known key',
        'events[0].actions[2].condition.statuses[0]: must be one of CREATED, NOTIFIED, DECLARED, REGISTERED, ARCHIVED, REVOKED',
      ],
    ],
    [
      'a name for an action that is not custom',
      { ...ADOPTION, actions: [{ type: 'EDIT', customActionType: 'X', flags: [] }] },
      [
        'events[0].actions[0].customActionType: is not a known key',
        'events[0].actions[0].flags: must be a list of 1 to 2000',
      ],
    ],
  ])('names the place of %s', (_, entry, faults) => {
    expect(faultsOf(entry)).toEqual(faults);
  });

  it('names at most 100 faults, and refuses what is no JSON, has a key twice, and rules without end', () => {
    const nested = (depth: number): unknown =>
      depth === 0 ? { type: 'strict', field: 'court' } : { type: 'not', clause: nested(depth - 1) };
    expect(faultsOf({ ...ADOPTION, duplicates: nested(15) })).toEqual([]);
    expect(faultsOf({ ...ADOPTION, duplicates: nested(500) })).toEqual([
      `events[0].duplicates${'.clause'.repeat(16)}: may be at most 16 levels deep`,
    ]);
    const many = faultsOf(...Array.from({ length: 200 }, () => 1));
    expect([many.length, many.at(-1)]).toEqual([101, 'file: has 100 more faults than are listed']);
    const unreadable = readEventTypes('{');
    expect(unreadable.kind === 'faulty' ? unreadable.issues[0]?.message : '').toMatch(/^file: must be JSON: /);
    const twice = readEventTypes('{"events": [{"id": "adoption", "fields": [], "fields": []}]}');
    expect(twice).toEqual({ kind: 'faulty', issues: [{ message: 'events[0].fields: is given twice' }] });
  });
});

describe('the published JSON Schema', () => {
  const validate = new Ajv2020({ strict: false, unicodeRegExp: true }).compile(EVENT_CONFIGURATION_SCHEMA);

  it('is the one beside the example, which meets it', () => {
    const published: unknown = JSON.parse(readFileSync('examples/event-configuration.schema.json', 'utf8'));
    expect(published).toEqual(JSON.parse(JSON.stringify(EVENT_CONFIGURATION_SCHEMA)));
    expect(validate(JSON.parse(EXAMPLE))).toBe(true);
  });

  it('accepts what the parser accepts, whatever is changed in a file', () => {
    const values = [null, true, 0, 1.5, -1, '', 'x', 'NAME', 'CUSTOM', 'and', 'strict', [], {}, ['x']];
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ at: fc.nat(), how: fc.constantFrom('remove', 'add', 'replace'), by: fc.constantFrom(...values) }),
          {
            minLength: 1,
            maxLength: 3,
          },
        ),
        (changes) => {
          const file: unknown = JSON.parse(JSON.stringify({ events: [ADOPTION] }));
          for (const { at, how, by } of changes) change(file, at, how, structuredClone(by));
          const faults = new Faults();
          EVENT_CONFIGURATION.read(file, '', faults, 0);
          expect([validate(file), file]).toEqual([faults.none, file]);
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** Changes the member of a JSON value that is the `at`th in its text. */
function change(root: unknown, at: number, how: string, by: unknown): void {
  const places: { readonly holder: object; readonly key: string }[] = [];
  const visit = (holder: unknown): void => {
    if (typeof holder !== 'object' || holder === null) return;
    for (const [key, member] of Object.entries(holder)) {
      places.push({ holder, key });
      visit(member);
    }
  };
  visit(root);
  const place = places[at % Math.max(places.length, 1)];
  if (place === undefined) return;
  const { holder, key } = place;
  if (how === 'replace') Reflect.set(holder, key, by);
  else if (how === 'add') Reflect.set(holder, Array.isArray(holder) ? holder.length : 'unknown', by);
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else Reflect.deleteProperty(holder, key);
}
