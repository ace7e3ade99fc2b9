import { anAction } from '../../../test/support/builders/an-action.js';
import { anEventDocument } from '../../../test/support/builders/an-event-document.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { withAcceptedAction } from './trigger.service.js';

const created = anAction();
const requested = anAction({
  type: 'REGISTER',
  status: 'Requested',
  registrationNumber: '2026B0000001',
  declaration: { 'child.name': { surname: 'Musonda' } },
  annotation: { comment: 'checked' },
});
const document = anEventDocument({ actions: [created, requested] });

describe('withAcceptedAction', () => {
  it('lets an acceptance follow the request, the same one each time', () => {
    const accepted = withAcceptedAction(document, 'REGISTER', []);
    const [first, second, acceptance] = accepted.actions;
    expect([first, second]).toEqual([created, requested]);
    expect(acceptance).toEqual({
      ...requested,
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5/) as string,
      status: 'Accepted',
      declaration: {},
      annotation: null,
      originalActionId: requested.id,
    });
    expect(withAcceptedAction(document, 'REGISTER', [])).toEqual(accepted);
  });

  it('leaves a document alone whose request was accepted, in it or before it', () => {
    const answer = anAction({ type: 'REGISTER', originalActionId: requested.id, registrationNumber: '2026B0000001' });
    const answered = { ...document, actions: [created, answer, requested] };
    expect(withAcceptedAction(answered, 'REGISTER', [])).toBe(answered);
    expect(withAcceptedAction(document, 'REGISTER', [answer])).toBe(document);
    expect(withAcceptedAction(document, 'REGISTER', [{ ...requested, status: 'Accepted' }])).toBe(document);
    expect(withAcceptedAction(document, 'CREATE', [])).toBe(document);
  });

  it('means the latest action of the type', () => {
    const correction = anAction({ type: 'APPROVE_CORRECTION', status: 'Requested' });
    const twice = { ...document, actions: [created, anAction({ type: 'APPROVE_CORRECTION' }), correction] };
    expect(withAcceptedAction(twice, 'APPROVE_CORRECTION', []).actions.at(-1)).toMatchObject({
      originalActionId: correction.id,
    });
  });

  it.each([
    ['no such action', [created], 'actions: must hold an action of the type REGISTER'],
    [
      'a rejected one',
      [created, { ...requested, status: 'Rejected' as const }],
      'actions[1].status: must be "Requested" or "Accepted": the action was triggered',
    ],
    [
      'a registration without a number',
      [{ ...requested, registrationNumber: null }],
      'actions[0].registrationNumber: is required of a REGISTER that is accepted',
    ],
  ])('refuses a document with %s', (_, actions, message) => {
    const refused = new ServiceError('BAD_REQUEST', 'Input validation failed', { issues: [{ message }] });
    expect(() => withAcceptedAction({ ...document, actions }, 'REGISTER', [])).toThrow(refused);
    expect(() => withAcceptedAction({ ...document, actions }, 'REGISTER', [])).toThrow(
      expect.objectContaining({ issues: [{ message }] }) as Error,
    );
  });
});
