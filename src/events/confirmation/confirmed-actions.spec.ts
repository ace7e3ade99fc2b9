import { anAction } from '../../../test/support/builders/an-action.js';
import { anInstant } from '../../../test/support/builders/an-instant.js';
import type { EventAction } from '../../kernel/domain/event-action.js';
import { assigneeAfter } from '../records/project-event.js';
import { confirmedActions, requesterOf, standingOf, takenSince, type Verdict } from './confirm-action.js';

const CREATE = anAction();
const ASSIGN = anAction({ type: 'ASSIGN', assignedTo: 'registrar' });
const REGISTER = anAction({
  type: 'REGISTER',
  status: 'Requested',
  createdBy: 'registrar',
  declaration: { 'child.name': 'Ann' },
  content: { comment: 'seen' },
});
const UNASSIGN = anAction({ type: 'UNASSIGN' });
const now = anInstant('2026-03-04T05:06:07Z');

const ACCEPTED: Verdict = {
  status: 'Accepted',
  declaration: { 'child.name': 'Anna' },
  annotation: { checked: true },
  registrationNumber: 'N-1',
  keepsAssignment: false,
};

/** `imported`: who had the event when it was imported. */
const confirmed = (
  actions: readonly EventAction[],
  verdict: Verdict = ACCEPTED,
  imported: string | null = null,
): readonly EventAction[] => {
  const event = { document: { actions }, record: { assignedTo: assigneeAfter(imported, actions) } };
  return confirmedActions(event, REGISTER, { by: requesterOf(REGISTER), now, verdict });
};

describe('what an action id stands for', () => {
  const [acceptance] = confirmed([CREATE, REGISTER]);
  const [rejection] = confirmed([CREATE, REGISTER], { ...ACCEPTED, status: 'Rejected' });
  const answered = (answer: EventAction | undefined): EventAction[] => [CREATE, REGISTER, ...(answer ? [answer] : [])];

  it.each([
    ['an id that is not there', [CREATE], REGISTER.id, 'unknown'],
    ['a request', [CREATE, REGISTER], REGISTER.id, 'pending'],
    ['a request that was accepted', answered(acceptance), REGISTER.id, 'accepted'],
    ['a request that was rejected', answered(rejection), REGISTER.id, 'rejected'],
    ['an acceptance', answered(acceptance), acceptance?.id ?? '', 'not awaiting'],
    ['an action that was accepted at once', [CREATE, REGISTER], CREATE.id, 'not awaiting'],
  ])('%s', (_, actions, id, kind) => {
    expect(standingOf(actions, id).kind).toBe(kind);
  });
});

describe('the confirmation of a request', () => {
  it('says who, when and what, and keeps what was requested', () => {
    const [accepted, ...others] = confirmed([CREATE, ASSIGN, REGISTER, UNASSIGN]);
    expect(others).toEqual([]);
    expect(accepted).toEqual({
      ...REGISTER,
      id: accepted?.id,
      status: 'Accepted',
      createdAt: now,
      originalActionId: REGISTER.id,
      declaration: { 'child.name': 'Anna' },
      annotation: { checked: true },
      registrationNumber: 'N-1',
    });
  });

  it('has an id that follows from the request, so that two are one', () => {
    const ids = [confirmed([CREATE, REGISTER]), confirmed([CREATE, REGISTER])].map(([first]) => first?.id);
    expect(ids[0]).toBe(ids[1]);
  });

  it('gives a rejection no number, and the content that says why', () => {
    const verdict: Verdict = { ...ACCEPTED, status: 'Rejected', content: { reason: 'blurred' } };
    const [rejected] = confirmed([CREATE, REGISTER], verdict);
    expect([rejected?.status, rejected?.registrationNumber, rejected?.content]).toEqual([
      'Rejected',
      null,
      { reason: 'blurred' },
    ]);
  });

  it('takes the event from a requester who still has it, and from nobody else (E-14)', () => {
    const types = (actions: readonly EventAction[], verdict = ACCEPTED): readonly string[] =>
      confirmed(actions, verdict).map(({ type }) => type);
    const taken = anAction({ type: 'ASSIGN', assignedTo: 'another' });
    expect(types([CREATE, ASSIGN, REGISTER])).toEqual(['REGISTER', 'UNASSIGN']);
    expect(types([CREATE, ASSIGN, REGISTER], { ...ACCEPTED, keepsAssignment: true })).toEqual(['REGISTER']);
    expect(types([CREATE, ASSIGN, REGISTER, UNASSIGN])).toEqual(['REGISTER']);
    expect(types([CREATE, ASSIGN, REGISTER, UNASSIGN, taken])).toEqual(['REGISTER']);
    expect(confirmed([REGISTER], ACCEPTED, 'registrar').map(({ type }) => type)).toEqual(['REGISTER', 'UNASSIGN']);
    expect(takenSince([CREATE, ASSIGN, REGISTER, UNASSIGN, taken], REGISTER)).toBe('another');
    expect(takenSince([CREATE, ASSIGN, REGISTER], REGISTER)).toBeUndefined();
  });
});
