import { aRecord } from '../../../test/support/builders/a-record.js';
import { CREATE, onTopOf, recordOf } from '../../../test/support/projected-records.js';
import type { ActionType, EventAction } from '../../kernel/domain/event-action.js';

describe('the flags of a projected event', () => {
  const flagsOf = (...actions: readonly Partial<EventAction>[]) => recordOf(CREATE, ...actions).flags;
  const types = (...names: readonly ActionType[]) => flagsOf(...names.map((type) => ({ type })));

  it('name the actions whose latest status is Requested or Rejected', () => {
    const register = { type: 'REGISTER' as const };
    expect(flagsOf({ ...register, status: 'Requested' })).toEqual(['register:requested']);
    expect(flagsOf({ ...register, status: 'Requested' }, { ...register, status: 'Rejected' })).toEqual([
      'register:rejected',
    ]);
    expect(flagsOf({ ...register, status: 'Requested' }, register)).toEqual([]);
  });

  it.each<[string, readonly ActionType[], readonly string[]]>([
    ['a notification is incomplete', ['NOTIFY'], ['incomplete']],
    ['until it is declared', ['NOTIFY', 'DECLARE'], []],
    ['or registered', ['NOTIFY', 'REGISTER'], []],
    ['but not by being archived', ['NOTIFY', 'ARCHIVE'], ['incomplete']],
    ['a rejection', ['DECLARE', 'REJECT'], ['rejected']],
    ['a rejection until it is notified again', ['REJECT', 'NOTIFY'], ['incomplete']],
    ['a rejection until it is edited', ['REJECT', 'EDIT'], ['edit-in-progress']],
    ['a correction asked for', ['REGISTER', 'REQUEST_CORRECTION'], ['correction-requested']],
    ['a correction approved', ['REQUEST_CORRECTION', 'APPROVE_CORRECTION'], []],
    ['a correction turned down', ['REQUEST_CORRECTION', 'REJECT_CORRECTION'], []],
    ['a possible duplicate', ['DUPLICATE_DETECTED'], ['potential-duplicate']],
    ['a duplicate', ['DUPLICATE_DETECTED', 'MARK_AS_DUPLICATE'], []],
    ['no duplicate', ['DUPLICATE_DETECTED', 'MARK_AS_NOT_DUPLICATE'], []],
    ['an edit, and reading or assigning', ['EDIT', 'READ', 'ASSIGN', 'UNASSIGN'], ['edit-in-progress']],
    ['an edit that was followed up', ['EDIT', 'CUSTOM'], []],
    ['a registration out of use', ['REGISTER', 'DEACTIVATE_REGISTRATION'], ['inactive']],
    ['a registration in use again', ['DEACTIVATE_REGISTRATION', 'REACTIVATE_REGISTRATION'], []],
  ])('%s', (_, actions, flags) => {
    expect(types(...actions)).toEqual(flags);
  });

  it('say whether the record is sealed (E-10)', () => {
    const seal = { type: 'CUSTOM' as const, customActionType: 'SEAL' };
    const unseal = { ...seal, customActionType: 'UNSEAL' };
    expect(flagsOf(seal)).toEqual(['sealed']);
    expect(flagsOf(seal, seal, unseal)).toEqual([]);
    expect(flagsOf({ ...seal, status: 'Requested' })).toEqual(['custom:requested']);
    const imported = aRecord({ flags: ['sealed', 'late'] });
    expect(onTopOf(imported, { ...unseal, createdAt: imported.updatedAt }).flags).toEqual(['late']);
  });

  it('come in the order: outcomes of actions, inherent, a country’s own', () => {
    const imported = aRecord({ flags: ['sealed', 'rejected', 'archive:requested', 'edit-in-progress', 'x:requested'] });
    expect(onTopOf(imported, { type: 'REGISTER', status: 'Requested', createdAt: imported.updatedAt }).flags).toEqual([
      'archive:requested',
      'register:requested',
      'rejected',
      'edit-in-progress',
      'sealed',
      'x:requested',
    ]);
  });
});
