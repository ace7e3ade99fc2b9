import { type EventType, FIELD_KINDS, type FieldKind } from '../../kernel/domain/event-configuration/event-type.js';
import { withoutForm } from '../../kernel/domain/event-configuration/shipped-event-types.js';
import type { Declaration } from '../../kernel/domain/event-record.js';
import type { ActionType, ChangeValue, DeclarationChange } from '../../kernel/domain/event-action.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { faultsOfDeclaration, requireForm } from './faults-of-forms.js';

/** A type whose form has one field of each kind, by the name of the kind, and a required and an uncorrectable one. */
const FORM: EventType = {
  ...withoutForm('birth'),
  fields: new Map(
    [
      ...FIELD_KINDS.map((kind) => ({ id: kind, kind, isRequired: false, isCorrectable: true })),
      { id: 'child.name', kind: 'NAME' as const, isRequired: true, isCorrectable: true },
      { id: 'informant', kind: 'TEXT' as const, isRequired: false, isCorrectable: false },
    ].map((field) => [field.id, { ...field, label: null, isSecured: false }]),
  ),
};

const NAMED: Declaration = { 'child.name': { firstname: 'Ann' } };

const faultsOf = (action: ActionType, change: DeclarationChange, before: Declaration = NAMED) =>
  faultsOfDeclaration(FORM, { action, before, change }).map(({ message }) => message);

const file = { path: 'a.png', originalFilename: 'a.png', type: 'image/png' };
const address = { addressType: 'DOMESTIC', country: 'FAR', administrativeArea: 'a0000000-0000-4000-8000-000000000001' };

const SOUND: Readonly<Record<FieldKind, readonly ChangeValue[]>> = {
  TEXT: ['', 'any'],
  EMAIL: ['', 'ann@example.org'],
  DATE: ['2026-02-28', '2999-01-01'],
  AGE: [{ age: 3, asOfDateRef: 'child.dob' }],
  TIME: ['00:00', '23:59'],
  DATE_RANGE: [{ start: '2026-01-01', end: '2026-02-01' }],
  TIME_PERIOD: ['last7Days'],
  BOOLEAN: [true, false],
  NUMBER: [0, -1.5],
  FILE: [file],
  FILE_LIST: [[], [{ ...file, option: 'PASSPORT' }]],
  NAME: [{ firstname: 'Ann', surname: 'Lee', middlename: 'B' }, { surname: 'Lee' }, {}],
  ADDRESS: [address, { ...address, addressType: 'INTERNATIONAL', streetLevelDetails: { town: 'X' } }],
  LOCATION: ['a0000000-0000-4000-8000-000000000001'],
  VERIFICATION_STATUS: ['verified'],
  REQUEST_STATE: [
    { loading: true, error: null },
    { loading: false, error: { statusCode: 500, message: 'x' }, data: 3 },
  ],
  DATA: [{}, { data: { a: 'b' }, updatedAt: '2026-01-01T00:00:00Z' }],
  QUANTITY: [{}, { numericValue: 3, unit: 'kg' }],
  LABEL_VALUE: [{ label: 'Nurse', value: 'NURSE' }],
  GROUP: [{}, { 'spouse.name': { firstname: 'A' } }],
};

const WRONG: Readonly<Record<FieldKind, readonly ChangeValue[]>> = {
  TEXT: [3, {}, []],
  EMAIL: [3],
  DATE: ['2026-02-30', '26-02-28', 3, {}],
  AGE: ['3', { age: '3', asOfDateRef: 'x' }],
  TIME: ['24:00', '1:00', 100],
  DATE_RANGE: ['2026-01-01', { start: '2026-01-01', end: 'later' }],
  TIME_PERIOD: ['last8Days', 7],
  BOOLEAN: ['true', 1],
  NUMBER: ['1', true],
  FILE: ['a.png', [file], { ...file, type: 1 }],
  FILE_LIST: [file, ['a.png']],
  NAME: ['Ann', [], { firstname: 1 }],
  ADDRESS: ['Main Street', { ...address, addressType: 'OTHER' }, { ...address, administrativeArea: 'here' }],
  LOCATION: ['here', {}],
  VERIFICATION_STATUS: ['maybe', true],
  REQUEST_STATE: [true, { loading: 'yes' }, { loading: false, error: { statusCode: '500', message: 'x' } }],
  DATA: ['x', [], { data: 1, updatedAt: 'yesterday' }],
  QUANTITY: [3, { numericValue: '3' }],
  LABEL_VALUE: ['NURSE', { label: 'Nurse', value: 1 }],
  GROUP: ['x', []],
};

describe('the form of a notification (E-3, records: notify)', () => {
  it.each(FIELD_KINDS)('accepts values of the kind %s, and no others', (kind) => {
    for (const value of SOUND[kind]) expect([value, faultsOf('NOTIFY', { [kind]: value }, {})]).toEqual([value, []]);
    for (const value of WRONG[kind]) {
      expect([value, faultsOf('NOTIFY', { [kind]: value }, {})]).toEqual([
        value,
        [expect.stringMatching(/^declaration\["[A-Z_]+"\].*: Invalid input$/)],
      ]);
    }
    expect(faultsOf('NOTIFY', { [kind]: null }, {})).toEqual([]);
  });

  it('refuses what the form does not have, and an address without its type', () => {
    const change = { x: 1, toString: null, 'child.name': { firstname: 'A', nickname: 'B' } };
    expect(faultsOf('NOTIFY', { ...change, ADDRESS: { country: 'FAR' } }, {})).toEqual([
      'declaration["x"]: Unexpected field',
      'declaration["toString"]: Unexpected field',
      'declaration["ADDRESS"].addressType: Required',
      'declaration["child.name"].nickname: Unexpected field',
    ]);
  });

  it('takes partial values, any text as an e-mail address, and an area in an international address', () => {
    const international = { ...address, addressType: 'INTERNATIONAL' };
    expect(faultsOf('NOTIFY', { EMAIL: 'none', ADDRESS: { addressType: 'DOMESTIC' } }, {})).toEqual([]);
    expect(faultsOf('NOTIFY', { ADDRESS: international, 'child.name': null }, {})).toEqual([]);
  });

  it('sees a partial change merged with what is declared', () => {
    const change = { ADDRESS: { streetLevelDetails: { town: 'X' } } };
    expect(faultsOf('NOTIFY', change, { ADDRESS: address })).toEqual([]);
    expect(faultsOf('NOTIFY', { ADDRESS: { addressType: null } }, { ADDRESS: address })).toEqual([
      'declaration["ADDRESS"].addressType: Required',
    ]);
  });
});

describe('the form of a declaration and of a registration', () => {
  it.each<ActionType>(['DECLARE', 'REGISTER'])('is checked as a whole by %s', (action) => {
    const before = { EMAIL: 'none', DATE: 'today', formerly: 1, ADDRESS: { addressType: 'DOMESTIC' } };
    expect(faultsOf(action, {}, before)).toEqual([
      'declaration["EMAIL"]: Invalid email address',
      'declaration["DATE"]: Invalid date field',
      'declaration["ADDRESS"].country: Required',
      'declaration["ADDRESS"].administrativeArea: Required',
      'declaration["child.name"]: Required',
    ]);
    const ofOtherKinds = { EMAIL: 7, DATE: 5, ADDRESS: address, 'child.name': { surname: 'L' } };
    expect(faultsOf(action, ofOtherKinds, {})).toEqual([
      'declaration["EMAIL"]: Invalid input',
      'declaration["DATE"]: Invalid input',
    ]);
    expect(
      faultsOf(action, { EMAIL: 'a@b.org', DATE: null, ADDRESS: address, 'child.name': { surname: 'L' } }, before),
    ).toEqual([]);
    expect(faultsOf(action, { 'child.name': { firstname: '' } })).toEqual(['declaration["child.name"]: Required']);
  });
});

describe('the form of a correction', () => {
  it('is checked where it changes something, and where that is allowed', () => {
    const before = { ...NAMED, EMAIL: 'none' };
    expect(faultsOf('REQUEST_CORRECTION', { informant: 'x', y: 1, DATE: 'x', 'child.name': null }, before)).toEqual([
      'declaration["informant"]: Correction not allowed for field',
      'declaration["y"]: Unexpected field',
      'declaration["DATE"]: Invalid date field',
      'declaration["child.name"]: Required',
    ]);
    expect(faultsOf('APPROVE_CORRECTION', {}, before)).toEqual([]);
    expect(faultsOf('REJECT_CORRECTION', { informant: 'x' }, before)).toEqual([]);
  });
});

describe('the check of a form', () => {
  it('refuses nothing without a form but a known date that is none (E-3)', () => {
    const withoutOne = (change: DeclarationChange, action: ActionType = 'REGISTER', before: Declaration = {}) =>
      faultsOfDeclaration(withoutForm('birth'), { action, before, change }).map(({ message }) => message);
    expect(withoutOne({ anything: { at: ['all'] }, date: '2025-02-31', 'mother.dob': '2024-02-29' })).toEqual([]);
    expect(withoutOne({ 'child.dob': '2025-02-31', 'eventDetails.date': '2025-2-1', 'father.dob': null })).toEqual([
      'declaration["child.dob"]: Invalid date field',
      'declaration["eventDetails.date"]: Invalid date field',
    ]);
    expect(withoutOne({ 'child.dob': 20250228 }, 'NOTIFY')).toEqual(['declaration["child.dob"]: Invalid input']);
    expect(withoutOne({}, 'DECLARE', { 'child.dob': 'from an old register' })).toEqual([]);
  });

  it('answers 400 with the faults', () => {
    expect(() => {
      requireForm(FORM, { action: 'NOTIFY', before: {}, change: { x: 1 } });
    }).toThrow(
      new ServiceError('BAD_REQUEST', 'Input validation failed', {
        issues: [{ message: 'declaration["x"]: Unexpected field' }],
      }),
    );
  });

  it('costs little for the largest body: 100 faults are listed, and the others counted (Q-1)', () => {
    const many = Object.fromEntries(Array.from({ length: 150_000 }, (_, at) => [String(at), 1]));
    const startedMs = performance.now();
    expect(faultsOf('DECLARE', many)).toHaveLength(101);
    expect(faultsOf('DECLARE', { NAME: many }).at(-1)).toBe('body: has 149900 more faults than are listed');
    expect(faultsOf('DECLARE', { EMAIL: `a@${'.'.repeat(1_000_000)} ` })).toEqual([
      'declaration["EMAIL"]: Invalid email address',
    ]);
    // Milliseconds in fact: quadratic time would take minutes.
    expect(performance.now() - startedMs).toBeLessThan(20_000);
  });
});
