import { withoutForm } from '../../kernel/domain/event-configuration/shipped-event-types.js';
import type { ActionSettings, EventType, FieldKind } from '../../kernel/domain/event-configuration/event-type.js';
import type { ActionType, DeclarationChange } from '../../kernel/domain/event-action.js';
import { faultsOfAnnotation } from './faults-of-forms.js';

const field = (id: string, kind: FieldKind, isRequired = false) => ({
  ...{ id, kind, label: null, isRequired },
  ...{ isSecured: false, isCorrectable: true },
});
const settings = (...fields: readonly ReturnType<typeof field>[]): ActionSettings => ({
  flags: [],
  condition: undefined,
  form: new Map(fields.map((one) => [one.id, one])),
});
const BIRTH: EventType = {
  ...withoutForm('birth'),
  actions: new Map([
    ['DECLARE', settings(field('review.note', 'TEXT', true), field('review.email', 'EMAIL'))],
    ['PRINT_CERTIFICATE', settings()],
    ['CUSTOM COPY', settings(field('page', 'NUMBER', true))],
    ['EDIT', { ...settings(), form: undefined }],
  ]),
};

const faultsOf = (type: ActionType, annotation: DeclarationChange | null, customActionType: string | null = null) =>
  faultsOfAnnotation(BIRTH, { type, customActionType }, annotation).map(({ message }) => message);

describe('faultsOfAnnotation', () => {
  it('names what the form of the action does not have, what is of another kind, and what is missing', () => {
    expect(faultsOf('DECLARE', { toString: 'x', 'review.email': 'none' })).toEqual([
      'annotation["toString"]: Unexpected field',
      'annotation["review.note"]: Required',
      'annotation["review.email"]: Invalid email address',
    ]);
    expect(faultsOf('DECLARE', null)).toEqual(['annotation["review.note"]: Required']);
    expect(faultsOf('DECLARE', { 'review.note': null })).toEqual(['annotation["review.note"]: Required']);
    expect(faultsOf('DECLARE', { 'review.note': 'seen' })).toEqual([]);
    expect(faultsOf('PRINT_CERTIFICATE', { copies: 1 })).toEqual(['annotation["copies"]: Unexpected field']);
    expect(faultsOf('CUSTOM', { page: 'one' }, 'COPY')).toEqual(['annotation["page"]: Invalid input']);
  });

  it('lets a notification leave out what a declaration needs, and not have what it does not have', () => {
    expect(faultsOf('NOTIFY', { 'review.email': 'none' })).toEqual([]);
    expect(faultsOf('NOTIFY', { 'review.email': 1, page: 1 })).toEqual([
      'annotation["page"]: Unexpected field',
      'annotation["review.email"]: Invalid input',
    ]);
  });

  it('finds nothing where no form is configured', () => {
    for (const type of ['EDIT', 'ARCHIVE'] as const) expect(faultsOf(type, { anything: { at: ['all'] } })).toEqual([]);
    expect(faultsOf('CUSTOM', { page: 'one' }, 'OTHER')).toEqual([]);
  });

  it('lists a hundred faults at most, and says how many more there are', () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`f${at}`, 1]));
    const faults = faultsOf('PRINT_CERTIFICATE', many);
    expect([faults.length, faults.at(-1)]).toEqual([101, 'body: has 50 more faults than are listed']);
  });
});
