import { aTrackingId } from '../../../test/support/builders/a-tracking-id.js';
import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { anAction } from '../../../test/support/builders/an-action.js';
import { anInstant } from '../../../test/support/builders/an-instant.js';
import { WITHOUT_FORMS } from '../../../test/support/without-forms.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { grantsOf } from '../../auth/access/scope-permissions.js';
import type { EventAction } from '../../kernel/domain/event-action.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { Hierarchy } from '../../auth/locations/hierarchy-cache.js';
import { RecordAccess } from '../search/stored-access.js';
import { CurrentEvent, type Decision, type EventState } from '../write/command.js';
import { confirmedActions, requesterOf } from './confirm-action.js';
import type { AskedConfirmation } from './asked-confirmation.js';
import { decideConfirmation, NeedsMore } from './decide-confirmation.js';

const eventId = aUuid(0xe1);
const now = anInstant('2026-03-04T05:06:07Z');
const CREATE = anAction();
const DECLARE = anAction({ type: 'DECLARE', status: 'Requested' });
const DECLARED = anAction({ type: 'DECLARE' });
const REGISTER = anAction({ type: 'REGISTER', status: 'Requested' });
const TAKEN = anAction({ type: 'ASSIGN', assignedTo: 'somebody' });

const answered = (status: 'Accepted' | 'Rejected', requested: EventAction): readonly EventAction[] => {
  const verdict = { status, declaration: {}, annotation: null, keepsAssignment: false };
  const event = { document: { actions: [CREATE, requested] }, record: { assignedTo: null } };
  return [CREATE, requested, ...confirmedActions(event, requested, { by: requesterOf(requested), now, verdict })];
};

const reads = (count: number): readonly EventAction[] =>
  Array.from({ length: count }, () => anAction({ type: 'READ' }));

const callerWith = (...scopes: readonly string[]): Caller => ({
  ...{ subject: 'client-1', userType: 'system', scopes, grants: grantsOf(scopes, () => undefined) },
});
const CLIENT = callerWith('type=record.action.accept&event=birth', 'type=record.action.reject');

const stateOf = (actions: readonly EventAction[] | undefined, more: Partial<EventState> = {}): EventState => ({
  event:
    actions &&
    new CurrentEvent(
      {
        ...{ seq: '1', id: eventId, type: 'birth', trackingId: aTrackingId(), body: null, isDraft: false },
        ...{ createdAt: new Date(0), updatedAt: new Date(0), actions, imported: undefined, characters: 0 },
      },
      WITHOUT_FORMS,
    ),
  performed: 'not yet',
  now,
  trackingId: undefined,
  registrationNumber: undefined,
  ...more,
});

const ask = (verb: 'accept' | 'reject', more: Partial<AskedConfirmation> = {}): AskedConfirmation => ({
  ...{ verb, eventId, actionId: DECLARE.id, type: undefined, transactionId: 'tx-1', createdAtLocation: null },
  ...{ declaration: {}, annotation: null, registrationNumber: undefined, content: null, keepsAssignment: false },
  ...more,
});

const decide = (asked: AskedConfirmation, state: EventState, caller = CLIENT): Decision<unknown> =>
  decideConfirmation(
    { access: new RecordAccess(new Hierarchy([])), configuration: WITHOUT_FORMS },
    caller,
    asked,
  )(state);

/** The status and message of a refusal; `current` where nothing changes; otherwise what is appended. */
function outcome(...given: Parameters<typeof decide>): readonly unknown[] {
  try {
    const { change } = decide(...given);
    return change?.kind === 'append' ? change.actions.map(({ type, status }) => `${type} ${status}`) : ['current'];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [error.status, error.message, ...error.issues.map(({ message }) => message)];
  }
}

/** The acceptance of a request. */
const accepted = (requested: EventAction): EventAction =>
  anAction({ type: requested.type, originalActionId: requested.id });

describe('an acceptance that comes late', () => {
  const [NOTIFY, AGAIN] = [0, 1].map(() => anAction({ type: 'NOTIFY', status: 'Requested' }));
  if (NOTIFY === undefined || AGAIN === undefined) throw new Error('there are two');
  const EDIT = anAction({ type: 'EDIT' });
  const REJECT = anAction({ type: 'REJECT' });
  const goneOn = (by: string, type: string): string =>
    `The record has gone on: '${by}' was requested after this '${type}', and is accepted.`;
  const isNotAllowed = (state: string): string =>
    `The record has gone on: Action 'NOTIFY' cannot be performed on ${state}`;

  it.each([
    [
      'of what a later request has replaced',
      NOTIFY,
      [CREATE, NOTIFY, DECLARE, accepted(DECLARE)],
      [409, goneOn('DECLARE', 'NOTIFY')],
    ],
    [
      'of what a later one has replaced, though the record would allow it again',
      NOTIFY,
      [CREATE, NOTIFY, AGAIN, accepted(AGAIN), REJECT],
      [409, goneOn('NOTIFY', 'NOTIFY')],
    ],
    [
      'of a registration, after a later notification',
      REGISTER,
      [CREATE, DECLARED, EDIT, REGISTER, AGAIN, accepted(AGAIN), EDIT],
      [409, goneOn('NOTIFY', 'REGISTER')],
    ],
    [
      'of a notification that would take a registration back',
      NOTIFY,
      [CREATE, DECLARED, EDIT, REGISTER, NOTIFY, accepted(REGISTER)],
      [
        409,
        isNotAllowed(
          "an event in 'REGISTERED' state with [] flags. Available actions: READ, PRINT_CERTIFICATE, " +
            'REQUEST_CORRECTION, CUSTOM, REVOKE_REGISTRATION, DEACTIVATE_REGISTRATION.',
        ),
      ],
    ],
    [
      'of a notification that would take a declaration back',
      NOTIFY,
      [CREATE, DECLARE, NOTIFY, accepted(DECLARE)],
      [
        409,
        isNotAllowed(
          "an event in 'DECLARED' state with [] flags. Available actions: READ, REGISTER, ARCHIVE, REJECT, CUSTOM, EDIT.",
        ),
      ],
    ],
    [
      'of a request before another one that waits',
      REGISTER,
      [CREATE, DECLARED, EDIT, REGISTER, NOTIFY],
      ['REGISTER Accepted'],
    ],
    ['of the next step', DECLARE, [CREATE, NOTIFY, DECLARE, accepted(NOTIFY)], ['DECLARE Accepted']],
    ['of a second notification', AGAIN, [CREATE, NOTIFY, AGAIN, accepted(NOTIFY)], ['NOTIFY Accepted']],
    [
      'after what changes nothing',
      NOTIFY,
      [CREATE, NOTIFY, anAction({ type: 'READ' }), anAction({ type: 'MARK_AS_NOT_DUPLICATE' })],
      ['NOTIFY Accepted'],
    ],
  ])('%s', (_, { id, type }, actions, expected) => {
    const state = stateOf(actions, { registrationNumber: 'MADE-1' });
    expect(outcome(ask('accept', { actionId: id, type }), state)).toEqual(expected);
    expect(outcome(ask('reject', { actionId: id }), state)).toEqual([`${type} Rejected`]);
  });
});

describe('a confirmation by a system client (E-8, E-14)', () => {
  it.each([
    ['accepts', ask('accept'), [CREATE, DECLARE], ['DECLARE Accepted']],
    ['rejects', ask('reject'), [CREATE, DECLARE], ['DECLARE Rejected']],
    ['accepted twice', ask('accept'), answered('Accepted', DECLARE), ['current']],
    ['rejected twice', ask('reject'), answered('Rejected', DECLARE), ['current']],
    [
      'rejected after it was accepted',
      ask('reject'),
      answered('Accepted', DECLARE),
      [400, 'Action has already been accepted.'],
    ],
    [
      'accepted after it was rejected',
      ask('accept'),
      answered('Rejected', DECLARE),
      [400, 'Action has already been rejected.'],
    ],
    ['of an action that the event does not have', ask('accept'), [CREATE], [404, 'Action not found.']],
    ['of an event that is not there', ask('reject'), undefined, [404, `Event not found with ID: ${eventId}`]],
    [
      'of an action that waits for nobody',
      ask('accept', { actionId: CREATE.id }),
      [CREATE, DECLARE],
      [400, `Action ${CREATE.id} is not awaiting confirmation.`],
    ],
    [
      'of an action of another type than the path says',
      ask('accept', { type: 'REGISTER' }),
      [CREATE, DECLARE],
      [400, `Action ${DECLARE.id} is of type DECLARE, cannot be confirmed as REGISTER.`],
    ],
    [
      'while a user has taken the event',
      ask('accept'),
      [CREATE, DECLARE, TAKEN],
      [409, 'User is assigned to this event'],
    ],
    [
      'while its requester still has the event',
      ask('accept'),
      [CREATE, TAKEN, DECLARE],
      ['DECLARE Accepted', 'UNASSIGN Accepted'],
    ],
    [
      'of an event that takes nothing else any more',
      ask('accept'),
      [CREATE, DECLARE, ...reads(4_998)],
      ['DECLARE Accepted'],
    ],
    [
      'of an event that has no room for answers either',
      ask('accept'),
      [CREATE, DECLARE, ...reads(6_998)],
      [409, 'The event would have 7001 actions; at most 7000 are allowed'],
    ],
    [
      'that leaves the event to its requester',
      ask('accept', { keepsAssignment: true }),
      [CREATE, TAKEN, DECLARE],
      ['DECLARE Accepted'],
    ],
    [
      'of the latest request of a type',
      ask('accept', { actionId: undefined, type: 'DECLARE' }),
      [CREATE, DECLARE],
      ['DECLARE Accepted'],
    ],
    [
      'of a type that nobody has requested',
      ask('accept', { actionId: undefined, type: 'ARCHIVE' }),
      [CREATE, DECLARE],
      [404, 'Action not found.'],
    ],
    [
      'that numbers what is no registration',
      ask('accept', { registrationNumber: 'N-1' }),
      [CREATE, DECLARE],
      [400, 'Input validation failed', 'registrationNumber: is given to a REGISTER alone'],
    ],
  ])('%s', (_, asked, actions, expected) => {
    expect(outcome(asked, stateOf(actions))).toEqual(expected);
  });

  it('of an event that its scope does not cover is 403', () => {
    const issue = 'authorization: no scope for record.action.accept covers the event';
    const caller = callerWith('type=record.action.accept&event=death');
    expect(outcome(ask('accept'), stateOf([CREATE, DECLARE]), caller)).toEqual([403, 'Insufficient access', issue]);
  });

  it('of a sealed event is as if there were none, for a caller whose scopes exclude it (E-10)', () => {
    const seal = anAction({ type: 'CUSTOM', customActionType: 'SEAL' });
    const actions = [CREATE, seal, DECLARE];
    for (const covering of ['birth', 'death']) {
      const accept = `type=record.action.accept&event=${covering}`;
      const caller = callerWith(accept, 'type=record.search&flags.noneOf[]=sealed');
      expect(outcome(ask('accept'), stateOf(actions), caller)).toEqual([404, `Event not found with ID: ${eventId}`]);
    }
    expect(outcome(ask('accept'), stateOf(actions))).toEqual(['DECLARE Accepted']);
  });

  it('is the same again under its transactionId, however it names the action (E-8), and 409 with other content', () => {
    const by = { createdBy: 'client-1', createdByUserType: 'system', transactionId: 'tx-1' } as const;
    const actions = [CREATE, DECLARE, { ...accepted(DECLARE), ...by }];
    const before = (more: object) => outcome(ask('accept', more), stateOf(actions, { performed: 'before' }))[0];
    const named = [{}, { actionId: undefined, type: 'DECLARE' }, { actionId: REGISTER.id }, { type: 'REGISTER' }];
    expect(named.map(before)).toEqual(['current', 'current', 409, 409]);
    expect(outcome(ask('accept'), stateOf(actions, { performed: 'otherwise' }))[0]).toBe(409);
  });

  it('of a registration takes the given number, or asks for one', () => {
    const asked = ask('accept', { actionId: REGISTER.id, type: 'REGISTER' });
    const numberOf = (decision: Decision<unknown>): unknown =>
      decision.change?.kind === 'append' ? decision.change.actions[0]?.registrationNumber : undefined;
    const actions = [CREATE, DECLARED, REGISTER];
    expect(() => decide(asked, stateOf(actions))).toThrow(NeedsMore);
    expect(numberOf(decide(asked, stateOf(actions, { registrationNumber: 'MADE-1' })))).toBe('MADE-1');
    expect(numberOf(decide({ ...asked, registrationNumber: 'GIVEN-1' }, stateOf(actions)))).toBe('GIVEN-1');
    expect(numberOf(decide(ask('reject', { actionId: REGISTER.id }), stateOf(actions)))).toBeNull();
  });

  it('of what may be published asks for its files, unless its type is known before', () => {
    const PRINT = anAction({ type: 'PRINT_CERTIFICATE', status: 'Requested' });
    const state = stateOf([CREATE, DECLARED, anAction({ type: 'REGISTER', registrationNumber: 'N-1' }), PRINT]);
    expect(() => decide(ask('accept', { actionId: PRINT.id }), state)).toThrow(new NeedsMore('PRINT_CERTIFICATE'));
    const known = ask('accept', { actionId: PRINT.id, type: 'PRINT_CERTIFICATE' });
    expect(outcome(known, state)).toEqual(['PRINT_CERTIFICATE Accepted']);
    expect(outcome(ask('reject', { actionId: PRINT.id }), state)).toEqual(['PRINT_CERTIFICATE Rejected']);
  });

  it('is in the name of the client, keeps its reason, and writes its row of the audit log', () => {
    const asked = ask('reject', { content: { reason: 'blurred' }, annotation: { page: 2 } });
    const { change, audit } = decide(asked, stateOf([CREATE, DECLARE]));
    expect(change?.kind === 'append' ? change.actions[0] : undefined).toMatchObject({
      ...{ transactionId: 'tx-1', createdBy: 'client-1', createdByUserType: 'system', createdAt: now },
      ...{ originalActionId: DECLARE.id, content: { reason: 'blurred' }, annotation: { page: 2 } },
    });
    expect(audit).toMatchObject({
      ...{ clientId: 'client-1', clientType: 'system', operation: 'event.actions.declare.reject' },
      requestData: { eventId, actionId: DECLARE.id, actionType: 'DECLARE', eventType: 'birth', transactionId: 'tx-1' },
    });
  });
});
