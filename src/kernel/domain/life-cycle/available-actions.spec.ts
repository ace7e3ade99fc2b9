import { ACTION_TYPES, type ActionType } from '../event-action.js';
import { EVENT_STATUSES, type EventStatus, INHERENT_FLAGS } from '../event-record.js';
import { availableActions, refusalOf } from './available-actions.js';

/** The state machine as the facts about upstream have it, in words of its own: nothing here is read from the table. */
const LISTED: Readonly<Record<EventStatus | 'rejected' | 'edit-in-progress', string>> = {
  CREATED: 'READ DECLARE NOTIFY DELETE',
  NOTIFIED: 'READ EDIT MARK_AS_DUPLICATE ARCHIVE REJECT CUSTOM',
  DECLARED: 'READ REGISTER MARK_AS_DUPLICATE ARCHIVE REJECT CUSTOM EDIT',
  REGISTERED:
    'READ PRINT_CERTIFICATE REQUEST_CORRECTION APPROVE_CORRECTION REJECT_CORRECTION CUSTOM REVOKE_REGISTRATION ' +
    'DEACTIVATE_REGISTRATION REACTIVATE_REGISTRATION',
  ARCHIVED: 'READ CUSTOM UNARCHIVE',
  REVOKED: 'READ REINSTATE_REGISTRATION',
  rejected: 'READ NOTIFY CUSTOM EDIT ARCHIVE',
  'edit-in-progress': 'NOTIFY DECLARE REGISTER',
};

function expected(status: EventStatus, flags: readonly string[]): string {
  const has = (flag: string) => flags.includes(flag);
  let list = LISTED[status].split(' ');
  if (has('rejected') && status !== 'ARCHIVED') list = LISTED.rejected.split(' ');
  if (has('edit-in-progress')) list = LISTED['edit-in-progress'].split(' ');
  const without = (...types: string[]) => (list = list.filter((type) => !types.includes(type)));

  if (flags.some((flag) => /:requested$/.test(flag))) {
    list = list.filter((type) => ['READ', 'NOTIFY', 'DECLARE', 'DELETE'].includes(type));
  }
  if (has('potential-duplicate')) without('EDIT', 'REGISTER');
  else without('MARK_AS_DUPLICATE');
  if (has('correction-requested')) without('PRINT_CERTIFICATE', 'REQUEST_CORRECTION', 'REVOKE_REGISTRATION');
  else without('APPROVE_CORRECTION', 'REJECT_CORRECTION');
  if (has('rejected')) without('REJECT');
  if (has('inactive')) without('PRINT_CERTIFICATE', 'REQUEST_CORRECTION', 'DEACTIVATE_REGISTRATION');
  else without('REACTIVATE_REGISTRATION');
  return list.join(', ');
}

const NEVER_REFUSED = ['CREATE', 'READ', 'ASSIGN', 'UNASSIGN', 'DUPLICATE_DETECTED', 'MARK_AS_NOT_DUPLICATE'];
const WALKED = [...INHERENT_FLAGS, 'register:requested', 'unarchive:requested', 'register:rejected', 'sealed'];

/** Every combination of the flags. */
const combinations = (flags: readonly string[]): readonly (readonly string[])[] =>
  flags.reduce<readonly (readonly string[])[]>(
    (sets, flag) => [...sets, ...sets.map((chosen) => [...chosen, flag])],
    [[]],
  );

describe('the actions that may be requested (E-2)', () => {
  it.each(EVENT_STATUSES)('of a record with the status %s are the documented ones, whatever its flags', (status) => {
    const differing = combinations(WALKED).filter((flags) => {
      const available = expected(status, flags);
      const refusal = (type: ActionType) =>
        available.split(', ').includes(type) || NEVER_REFUSED.includes(type)
          ? undefined
          : `Action '${type}' cannot be performed on an event in '${status}' state with [${flags.join(', ')}] flags. ` +
            `Available actions: ${available}.`;
      return (
        availableActions({ status, flags }).join(', ') !== available ||
        ACTION_TYPES.some((type) => refusalOf(type, { status, flags }) !== refusal(type))
      );
    });
    expect(differing).toEqual([]);
  });

  it.each<[string, ActionType, EventStatus, readonly string[], string | undefined]>([
    [
      'a draft cannot be registered',
      'REGISTER',
      'CREATED',
      [],
      "Action 'REGISTER' cannot be performed on an event in 'CREATED' state with [] flags. " +
        'Available actions: READ, DECLARE, NOTIFY, DELETE.',
    ],
    [
      'a second correction waits for the first',
      'REQUEST_CORRECTION',
      'REGISTERED',
      ['correction-requested', 'sealed'],
      "Action 'REQUEST_CORRECTION' cannot be performed on an event in 'REGISTERED' state with [correction-requested, " +
        'sealed] flags. Available actions: READ, APPROVE_CORRECTION, REJECT_CORRECTION, CUSTOM, ' +
        'DEACTIVATE_REGISTRATION.',
    ],
    ['a rejected and archived record returns', 'UNARCHIVE', 'ARCHIVED', ['rejected'], undefined],
    ['a record being edited may be read', 'READ', 'DECLARED', ['edit-in-progress'], undefined],
  ])('%s', (_, type, status, flags, refusal) => {
    expect(refusalOf(type, { status, flags })).toBe(refusal);
  });

  it('include the sealing of registered records alone (E-16)', () => {
    expect(refusalOf('CUSTOM', { status: 'REGISTERED', flags: [] }, 'SEAL')).toBeUndefined();
    expect(refusalOf('CUSTOM', { status: 'DECLARED', flags: [] }, 'VALIDATE')).toBeUndefined();
    expect(refusalOf('CUSTOM', { status: 'ARCHIVED', flags: ['sealed'] }, 'UNSEAL')).toBe(
      "Action 'UNSEAL' cannot be performed on an event in 'ARCHIVED' state with [sealed] flags. " +
        'Available actions: READ, CUSTOM, UNARCHIVE.',
    );
  });
});
