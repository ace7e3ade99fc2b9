import { aRecord } from '../../../test/support/builders/a-record.js';
import { anAction } from '../../../test/support/builders/an-action.js';
import { anEventDocument } from '../../../test/support/builders/an-event-document.js';
import { anInstant } from '../../../test/support/builders/an-instant.js';
import { CREATE, inTurn, minute } from '../../../test/support/projected-records.js';
import { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { FlagChange, FlagCondition } from '../../kernel/domain/event-configuration/event-type.js';
import { withoutForm } from '../../kernel/domain/event-configuration/shipped-event-types.js';
import type { EventAction } from '../../kernel/domain/event-action.js';
import { projectEvent } from './project-event.js';

const configuredWith = (changes: Readonly<Record<string, readonly FlagChange[]>>) => {
  const settings = ([action, flags]: readonly [string, readonly FlagChange[]]) =>
    [action, { flags, condition: undefined, form: undefined }] as const;
  const actions = new Map(Object.entries(changes).map(settings));
  return new EventConfiguration(['birth'], new Map([['birth', { ...withoutForm('birth'), actions }]]));
};

const add = (flag: string, condition?: FlagCondition): FlagChange => ({ flag, operation: 'add', condition });
const remove = (flag: string): FlagChange => ({ flag, operation: 'remove', condition: undefined });

const flagsOf = (configuration: EventConfiguration, ...actions: readonly Partial<EventAction>[]) =>
  projectEvent(anEventDocument({ type: 'birth', actions: inTurn(CREATE, ...actions) }), configuration).record.flags;

describe('the flags of a country’s own (E-3)', () => {
  it('are set and cleared by accepted actions, custom ones by their names', () => {
    const configuration = configuredWith({
      DECLARE: [add('declared-here')],
      PRINT_CERTIFICATE: [add('certified')],
      'CUSTOM VALIDATE': [add('validated')],
      APPROVE_CORRECTION: [remove('certified')],
    });
    const print = { type: 'PRINT_CERTIFICATE' } as const;
    const validate = { type: 'CUSTOM', customActionType: 'VALIDATE' } as const;
    expect(flagsOf(configuration, { type: 'DECLARE' }, print, validate)).toEqual([
      'declared-here',
      'certified',
      'validated',
    ]);
    expect(flagsOf(configuration, print, { type: 'APPROVE_CORRECTION' })).toEqual([]);
    expect(flagsOf(configuration, { ...print, status: 'Requested' })).toEqual(['print_certificate:requested']);
    expect(flagsOf(configuration, { ...validate, customActionType: 'SEAL' })).toEqual(['sealed']);
    expect(flagsOf(configuration, { type: 'NOTIFY' })).toEqual(['incomplete', 'declared-here']);
  });

  it('may be joined by the clearing of an inherent flag', () => {
    expect(flagsOf(configuredWith({ NOTIFY: [remove('incomplete')] }), { type: 'NOTIFY' })).toEqual([]);
  });

  it.each<[string, FlagCondition, boolean]>([
    ['a value', { type: 'equals', field: 'sex', value: 'female' }, true],
    ['another value', { type: 'equals', field: 'sex', value: 'male' }, false],
    ['a value of an annotation', { type: 'equals', field: 'review.note', value: 'seen' }, true],
    ['the latest value', { type: 'equals', field: 'name', value: 'second' }, true],
    ['a field with a value', { type: 'present', field: 'dob' }, true],
    ['a field without one', { type: 'present', field: 'toString' }, false],
    ['a date before the day of the action', { type: 'olderThan', field: 'dob', days: 0 }, true],
    ['a date not as long before it', { type: 'olderThan', field: 'dob', days: 1 }, false],
    ['a date that is none', { type: 'olderThan', field: 'sex', days: 1 }, false],
    ['the role of who requested it', { type: 'role', roles: ['CLERK', 'MIDWIFE'] }, true],
    ['the role of who accepted it', { type: 'role', roles: ['VALIDATOR'] }, false],
    ['the user type of who requested it', { type: 'userType', userType: 'user' }, true],
    ['not', { type: 'not', clause: { type: 'present', field: 'dob' } }, false],
    ['none of several', { type: 'or', clauses: [] }, false],
    ['all of none', { type: 'and', clauses: [] }, true],
  ])('follow the condition: %s', (_, condition, holds) => {
    const request = anAction({
      type: 'DECLARE',
      status: 'Requested',
      createdAt: minute(1),
      createdByRole: 'MIDWIFE',
      declaration: { sex: 'female', name: 'first', dob: '2026-01-01' },
      annotation: { 'review.note': 'seen' },
    });
    const answer = {
      type: 'DECLARE',
      createdByRole: 'VALIDATOR',
      createdByUserType: 'system',
      originalActionId: request.id,
      declaration: { name: 'second' },
    } as const;
    const actions = [anAction({ createdAt: minute(0) }), request, anAction({ ...answer, createdAt: minute(2) })];
    const document = anEventDocument({ type: 'birth', actions });
    const { flags } = projectEvent(document, configuredWith({ DECLARE: [add('met', condition)] })).record;
    expect(flags).toEqual(holds ? ['met'] : []);
  });

  it('see the value that was declared where an annotation has the same field', () => {
    const declare = { type: 'DECLARE', declaration: { note: 'declared' }, annotation: { note: 'annotated' } } as const;
    const sees = (value: string) => configuredWith({ DECLARE: [add('met', { type: 'equals', field: 'note', value })] });
    expect(flagsOf(sees('declared'), declare)).toEqual(['met']);
    expect(flagsOf(sees('annotated'), declare)).toEqual([]);
  });

  it('see dates as old as they are on the day of the acceptance, whenever it was requested', () => {
    const request = anAction({ type: 'DECLARE', status: 'Requested', declaration: { dob: '2026-01-01' } });
    const answer = {
      type: 'DECLARE',
      originalActionId: request.id,
      createdAt: anInstant('2026-01-09T08:00:00Z'),
    } as const;
    const flagsAfter = (days: number) =>
      flagsOf(configuredWith({ DECLARE: [add('late', { type: 'olderThan', field: 'dob', days })] }), request, answer);
    expect([flagsAfter(7), flagsAfter(8)]).toEqual([['late'], []]);
  });

  it('go on from those of an imported record, and see its declaration', () => {
    const record = aRecord({ type: 'birth', flags: ['old', 'kept'], declaration: { sex: 'female' } });
    const later = anAction({ type: 'PRINT_CERTIFICATE', createdAt: anInstant('2027-01-01T00:00:00Z') });
    const configuration = configuredWith({
      PRINT_CERTIFICATE: [remove('old'), add('new', { type: 'equals', field: 'sex', value: 'female' })],
    });
    const document = anEventDocument({ ...record, actions: [later] });
    expect(projectEvent(document, configuration, { record, actions: 0 }).record.flags).toEqual(['kept', 'new']);
  });
});
