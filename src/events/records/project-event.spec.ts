import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { anAction } from '../../../test/support/builders/an-action.js';
import { anEventDocument } from '../../../test/support/builders/an-event-document.js';
import { CREATE, inTurn, minute, recordOf } from '../../../test/support/projected-records.js';
import { WITHOUT_FORMS } from '../../../test/support/without-forms.js';
import type { EventAction } from '../../kernel/domain/event-action.js';
import { projectEvent } from './project-event.js';

describe('projecting an event', () => {
  it('yields the whole record of a registered birth', () => {
    const office = aUuid(0xa2);
    const document = anEventDocument({
      id: aUuid(1),
      trackingId: 'ABC123',
      actions: inTurn(
        { type: 'CREATE', createdBy: 'agent' },
        { type: 'ASSIGN', createdBy: 'agent', assignedTo: 'agent' },
        {
          id: aUuid(11),
          type: 'DECLARE',
          status: 'Requested',
          createdBy: 'agent',
          declaration: { 'child.name': { firstname: 'Ana' }, 'child.dob': '2025-12-24' },
        },
        {
          type: 'DECLARE',
          createdBy: 'country',
          createdByUserType: 'system',
          createdByRole: null,
          createdAtLocation: null,
          originalActionId: aUuid(11),
        },
        { type: 'UNASSIGN', createdBy: 'agent' },
        { id: aUuid(12), type: 'REGISTER', status: 'Requested', createdBy: 'registrar', createdByRole: 'REGISTRAR' },
        {
          type: 'REGISTER',
          createdBy: 'country',
          originalActionId: aUuid(12),
          registrationNumber: '2026B0000001',
          declaration: { 'child.nid': '123' },
        },
      ),
    });
    expect(projectEvent(document, WITHOUT_FORMS)).toEqual({
      record: {
        id: aUuid(1),
        type: 'birth',
        status: 'REGISTERED',
        legalStatuses: {
          DECLARED: {
            createdAt: minute(2),
            createdBy: 'agent',
            createdAtLocation: office,
            createdByUserType: 'user',
            acceptedAt: minute(3),
            createdByRole: 'FIELD_AGENT',
          },
          REGISTERED: {
            createdAt: minute(5),
            createdBy: 'registrar',
            createdAtLocation: office,
            createdByUserType: 'user',
            acceptedAt: minute(6),
            createdByRole: 'REGISTRAR',
            registrationNumber: '2026B0000001',
          },
        },
        createdAt: minute(0),
        dateOfEvent: '2025-12-24',
        placeOfEvent: office,
        createdBy: 'agent',
        createdByUserType: 'user',
        updatedByUserRole: 'REGISTRAR',
        createdAtLocation: office,
        updatedAtLocation: office,
        updatedAt: minute(6),
        assignedTo: null,
        updatedBy: 'registrar',
        trackingId: 'ABC123',
        potentialDuplicates: [],
        flags: [],
        declaration: { 'child.name': { firstname: 'Ana' }, 'child.dob': '2025-12-24', 'child.nid': '123' },
      },
      notified: undefined,
    });
  });

  it('takes the status from the last accepted action that has one', () => {
    expect(recordOf(CREATE).status).toBe('CREATED');
    expect(recordOf(CREATE, { type: 'NOTIFY' }).status).toBe('NOTIFIED');
    expect(recordOf(CREATE, { type: 'DECLARE' }, { type: 'EDIT' }, { type: 'READ' }).status).toBe('DECLARED');
    expect(recordOf(CREATE, { type: 'DECLARE' }, { type: 'REGISTER', status: 'Requested' }).status).toBe('DECLARED');
    expect(recordOf(CREATE, { type: 'DECLARE' }, { type: 'REGISTER', status: 'Rejected' }).status).toBe('DECLARED');
    expect(recordOf(CREATE, { type: 'DECLARE' }, { type: 'ARCHIVE' }).status).toBe('ARCHIVED');
    expect(recordOf(CREATE, { type: 'NOTIFY' }, { type: 'ARCHIVE' }, { type: 'UNARCHIVE' }).status).toBe('NOTIFIED');
    const revoked = [CREATE, { type: 'REGISTER' }, { type: 'REVOKE_REGISTRATION' }, { type: 'READ' }] as const;
    expect(recordOf(...revoked).status).toBe('REVOKED');
    expect(recordOf(...revoked, { type: 'REINSTATE_REGISTRATION' }).status).toBe('REGISTERED');
    expect(recordOf(...revoked.slice(0, 2), { type: 'DEACTIVATE_REGISTRATION' }).status).toBe('REGISTERED');
  });

  it('replays by time, and in the order of the list within a millisecond', () => {
    const late = anAction({ type: 'REGISTER', createdAt: minute(9), registrationNumber: '1' });
    const [create, declare, archive] = inTurn(CREATE, { type: 'DECLARE' }, { type: 'ARCHIVE', createdAt: minute(1) });
    const actions = [late, create, declare, archive].flatMap((action) => action ?? []);
    expect(projectEvent(anEventDocument({ actions }), WITHOUT_FORMS).record.status).toBe('REGISTERED');
    expect(projectEvent(anEventDocument({ actions: actions.slice(1) }), WITHOUT_FORMS).record.status).toBe('ARCHIVED');
  });

  it('takes what it says of its creation from the CREATE, and from the first action where there is none', () => {
    const creation = {
      createdBy: 'client',
      createdByUserType: 'system' as const,
      createdAtLocation: aUuid(0xb1),
    };
    expect(recordOf({ ...CREATE, ...creation }, { type: 'DECLARE' })).toMatchObject({
      ...creation,
      createdAt: minute(0),
    });
    expect(recordOf({ type: 'NOTIFY', ...creation })).toMatchObject({ ...creation, createdAt: minute(0) });
  });

  it('is updated by accepted update actions, and names whoever asked for the last of any status', () => {
    expect(
      recordOf(
        CREATE,
        { type: 'DECLARE', createdBy: 'declarer' },
        { type: 'REGISTER', status: 'Requested', createdBy: 'registrar', createdByRole: 'REGISTRAR' },
        { type: 'READ', createdBy: 'reader' },
        { type: 'ASSIGN', createdBy: 'assigner', assignedTo: 'x' },
        { type: 'DUPLICATE_DETECTED', createdBy: 'machine' },
      ),
    ).toMatchObject({ updatedAt: minute(1), updatedBy: 'registrar', updatedByUserRole: 'REGISTRAR' });
  });

  it('names the author of the request as the one who updated, not who answered it', () => {
    const request = { id: aUuid(21), type: 'REGISTER' as const, createdAtLocation: aUuid(0xb1) };
    for (const status of ['Accepted', 'Rejected'] as const) {
      expect(
        recordOf(
          CREATE,
          { ...request, status: 'Requested', createdBy: 'registrar', createdByRole: 'REGISTRAR' },
          { type: 'REGISTER', status, createdBy: 'machine', originalActionId: request.id, registrationNumber: '1' },
        ),
      ).toMatchObject({
        updatedBy: 'registrar',
        updatedByUserRole: 'REGISTRAR',
        updatedAtLocation: aUuid(0xb1),
        updatedAt: status === 'Accepted' ? minute(2) : minute(0),
      });
    }
  });

  it('is assigned to whom the last accepted ASSIGN names, until an UNASSIGN', () => {
    const assign = { type: 'ASSIGN' as const, assignedTo: 'first' };
    expect(recordOf(CREATE, assign, { ...assign, assignedTo: 'second' }).assignedTo).toBe('second');
    expect(recordOf(CREATE, assign, { ...assign, assignedTo: 'no', status: 'Rejected' }).assignedTo).toBe('first');
    expect(recordOf(CREATE, assign, { type: 'UNASSIGN' }).assignedTo).toBeNull();
  });

  it('has a legal status once one was accepted, dated by the last request before and the last acceptance', () => {
    const declare = { type: 'DECLARE' as const };
    expect(recordOf(CREATE, { ...declare, status: 'Requested' }).legalStatuses).toEqual({
      DECLARED: null,
      REGISTERED: null,
    });
    expect(
      recordOf(
        CREATE,
        { ...declare, status: 'Requested', createdBy: 'first' },
        { ...declare, status: 'Requested', createdBy: 'second', createdByRole: null, createdByUserType: null },
        { ...declare, createdBy: 'machine' },
        { ...declare, status: 'Requested', createdBy: 'third' },
        { type: 'ARCHIVE' },
      ).legalStatuses,
    ).toEqual({
      DECLARED: {
        createdAt: minute(2),
        createdBy: 'second',
        createdAtLocation: aUuid(0xa2),
        createdByUserType: null,
        acceptedAt: minute(3),
        createdByRole: null,
      },
      REGISTERED: null,
    });
    expect(recordOf(CREATE, { ...declare, createdBy: 'alone' }).legalStatuses.DECLARED).toMatchObject({
      createdBy: 'alone',
      createdAt: minute(1),
      acceptedAt: minute(1),
    });
  });

  it('has the legal status of the request that was accepted, where it is named, whatever was requested after it', () => {
    const first = { id: aUuid(31), type: 'DECLARE' as const, status: 'Requested' as const, createdBy: 'first' };
    const { legalStatuses } = recordOf(
      CREATE,
      first,
      { ...first, id: aUuid(32), createdBy: 'second' },
      { type: 'DECLARE', createdBy: 'machine', originalActionId: first.id },
    );
    expect(legalStatuses.DECLARED).toMatchObject({ createdBy: 'first', createdAt: minute(1), acceptedAt: minute(3) });
  });

  it('has the legal status of its own request, where another action is named', () => {
    const request = { type: 'REGISTER' as const, status: 'Requested' as const, createdBy: 'registrar' };
    const declare = { id: aUuid(33), type: 'DECLARE' as const, createdBy: 'declarer' };
    const register = { type: 'REGISTER' as const, createdBy: 'machine', registrationNumber: '1' };
    const { legalStatuses } = recordOf(CREATE, declare, request, { ...register, originalActionId: declare.id });
    expect(legalStatuses.REGISTERED).toMatchObject({ createdBy: 'registrar', createdAt: minute(2) });
  });

  it('has the number of the acceptance, and that of its request where the acceptance has none', () => {
    const request = { id: aUuid(34), type: 'REGISTER' as const, registrationNumber: 'asked for' };
    const numberOf = (registrationNumber: string | null) =>
      recordOf(
        CREATE,
        { ...request, status: 'Requested' },
        { type: 'REGISTER', originalActionId: request.id, registrationNumber },
      ).legalStatuses.REGISTERED?.registrationNumber;
    expect([numberOf('given'), numberOf(null)]).toEqual(['given', 'asked for']);
  });

  it('knows who notified: whoever asked for the notification that was accepted last', () => {
    const notify = { type: 'NOTIFY' as const, createdAtLocation: aUuid(0xb1) };
    const notified = (...actions: readonly Partial<EventAction>[]) =>
      projectEvent(anEventDocument({ actions: inTurn(CREATE, ...actions) }), WITHOUT_FORMS).notified;
    expect(notified({ ...notify, status: 'Requested' })).toBeUndefined();
    expect(
      notified({ ...notify, status: 'Requested', createdBy: 'hospital' }, { ...notify, createdBy: 'machine' }),
    ).toEqual({ createdBy: 'hospital', createdAtLocation: aUuid(0xb1) });
  });

  it('carries the last duplicates that were detected, until they are judged', () => {
    const found = (id: number) => ({
      type: 'DUPLICATE_DETECTED' as const,
      duplicates: [{ id: aUuid(id), trackingId: `DUP${id}` }],
    });
    expect(recordOf(CREATE, found(1), found(2)).potentialDuplicates).toEqual([{ id: aUuid(2), trackingId: 'DUP2' }]);
    expect(recordOf(CREATE, found(1), { type: 'MARK_AS_DUPLICATE' }).potentialDuplicates).toEqual([]);
    expect(recordOf(CREATE, found(1), { type: 'MARK_AS_NOT_DUPLICATE' }).potentialDuplicates).toEqual([]);
  });
});
