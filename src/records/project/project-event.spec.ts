import fc from 'fast-check';

import { aCalendarDate } from '../../../test/support/builders/a-calendar-date.js';
import { aLegalStatus, aRegisteredStatus } from '../../../test/support/builders/a-legal-status.js';
import { aRecord } from '../../../test/support/builders/a-record.js';
import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { anAction } from '../../../test/support/builders/an-action.js';
import { anEventDocument } from '../../../test/support/builders/an-event-document.js';
import { anInstant } from '../../../test/support/builders/an-instant.js';
import type { ActionType, EventAction } from '../../domain/record/event-action.js';
import { ACTION_STATUSES, ACTION_TYPES } from '../../domain/record/event-action.js';
import type { EventRecord } from '../../domain/record/event-record.js';
import type { ImportedState } from './project-event.js';
import { projectEvent } from './project-event.js';

/** The nth minute of the event. */
const minute = (n: number) => anInstant(new Date(Date.UTC(2026, 0, 2, 8, n)).toISOString());

/** Actions a minute apart, in the order given. */
const inTurn = (...actions: readonly Partial<EventAction>[]): readonly EventAction[] =>
  actions.map((action, n) => anAction({ createdAt: minute(n), ...action }));

const recordOf = (...actions: readonly Partial<EventAction>[]): EventRecord =>
  projectEvent(anEventDocument({ actions: inTurn(...actions) })).record;

const onTopOf = (imported: EventRecord, ...actions: readonly Partial<EventAction>[]): EventRecord =>
  projectEvent(anEventDocument({ ...imported, actions: actions.map((action) => anAction(action)) }), {
    record: imported,
    actions: 0,
  }).record;

const CREATE: Partial<EventAction> = { type: 'CREATE' };

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
    expect(projectEvent(document)).toEqual({
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
  });

  it('replays by time, and in the order of the list within a millisecond', () => {
    const late = anAction({ type: 'REGISTER', createdAt: minute(9), registrationNumber: '1' });
    const [create, declare, archive] = inTurn(CREATE, { type: 'DECLARE' }, { type: 'ARCHIVE', createdAt: minute(1) });
    const actions = [late, create, declare, archive].flatMap((action) => action ?? []);
    expect(projectEvent(anEventDocument({ actions })).record.status).toBe('REGISTERED');
    expect(projectEvent(anEventDocument({ actions: actions.slice(1) })).record.status).toBe('ARCHIVED');
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

  it('knows who notified: whoever asked for the notification that was accepted last', () => {
    const notify = { type: 'NOTIFY' as const, createdAtLocation: aUuid(0xb1) };
    const notified = (...actions: readonly Partial<EventAction>[]) =>
      projectEvent(anEventDocument({ actions: inTurn(CREATE, ...actions) })).notified;
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

describe('the declaration of a projected event', () => {
  const declarationOf = (...actions: readonly Partial<EventAction>[]) => recordOf(CREATE, ...actions).declaration;
  const declare = (declaration: EventAction['declaration']) => ({ type: 'DECLARE' as const, declaration });

  it('merges objects, replaces lists and loses what becomes null', () => {
    expect(
      declarationOf(
        declare({ name: { firstname: 'A', surname: 'B' }, list: [1, 2], gone: 'x', text: 'x', inner: { a: { b: 1 } } }),
        declare({ name: { surname: 'C' }, list: [3], gone: null, text: { now: 'a map' }, inner: { a: { b: null } } }),
      ),
    ).toEqual({ name: { firstname: 'A', surname: 'C' }, list: [3], text: { now: 'a map' }, inner: { a: {} } });
  });

  it('takes a field for a field, whatever it is called', () => {
    expect(declarationOf(declare({ constructor: { a: 'b' }, toString: 'x' }), declare({ toString: null }))).toEqual({
      constructor: { a: 'b' },
    });
  });

  it('counts accepted actions alone, each after the request that it answers', () => {
    expect(
      declarationOf(
        { ...declare({ a: 'requested', b: 'requested' }), id: aUuid(31), status: 'Requested' },
        { ...declare({ a: 'rejected' }), status: 'Rejected' },
        { ...declare({ b: 'accepted' }), originalActionId: aUuid(31) },
        { type: 'CUSTOM', declaration: { c: 'custom' }, annotation: { d: 'an annotation' } },
      ),
    ).toEqual({ a: 'requested', b: 'accepted', c: 'custom' });
  });

  it('leaves out certificates, and corrections that were not approved', () => {
    expect(
      declarationOf(
        declare({ a: 1 }),
        { type: 'PRINT_CERTIFICATE', declaration: { a: 2 } },
        { id: aUuid(32), type: 'REQUEST_CORRECTION', declaration: { a: 3 } },
        { type: 'REJECT_CORRECTION', requestId: aUuid(32), declaration: { a: 4 } },
      ),
    ).toEqual({ a: 1 });
  });

  it.each([
    ['the Accepted', aUuid(34)],
    ['the Requested', aUuid(33)],
  ])('applies an approved correction that is named by %s action’s id', (_, requestId) => {
    expect(
      declarationOf(
        declare({ a: 1, b: 1, c: 1, d: 1 }),
        { id: aUuid(33), type: 'REQUEST_CORRECTION', status: 'Requested', declaration: { a: 2, b: 2, c: null } },
        { id: aUuid(34), type: 'REQUEST_CORRECTION', originalActionId: aUuid(33), declaration: { b: 3 } },
        { type: 'APPROVE_CORRECTION', requestId, declaration: { d: 4 } },
      ),
    ).toEqual({ a: 2, b: 3, d: 4 });
  });

  it('applies no correction whose request was rejected, or that is none', () => {
    const request = { type: 'REQUEST_CORRECTION' as const, declaration: { a: 2 } };
    expect(
      declarationOf(
        declare({ a: 1 }),
        { ...request, id: aUuid(35), status: 'Requested' },
        { ...request, status: 'Rejected', originalActionId: aUuid(35) },
        { type: 'APPROVE_CORRECTION', requestId: aUuid(35) },
        { type: 'APPROVE_CORRECTION', requestId: aUuid(36) },
      ),
    ).toEqual({ a: 1 });
  });
});

describe('the date and the place of a projected event', () => {
  const of = (type: string, declaration: EventAction['declaration']) => {
    const actions = inTurn(CREATE, { type: 'DECLARE', declaration });
    const { dateOfEvent, placeOfEvent } = projectEvent(anEventDocument({ type, actions })).record;
    return { dateOfEvent, placeOfEvent };
  };
  const office = aUuid(0xa2);
  const area = aUuid(0xb7);

  it.each([
    ['birth', { 'child.dob': '2025-12-24', 'child.birthLocationId': area }],
    ['birth', { 'child.dob': '2025-12-24', 'child.birthLocation': area }],
    ['death', { 'eventDetails.date': '2025-12-24', 'eventDetails.deathLocationId': area }],
    ['death', { 'deceased.dateOfDeath': '2025-12-24', 'eventDetails.deathLocation': area }],
    ['marriage', { 'marriageDetails.dateOfMarriage': '2025-12-24', 'marriageDetails.placeOfMarriage': area }],
  ])('come from the declared fields of a %s: %j', (type, declaration) => {
    expect(of(type, declaration)).toEqual({ dateOfEvent: '2025-12-24', placeOfEvent: area });
  });

  it('are the area of a domestic address, and the office for an address abroad', () => {
    const address = { country: 'FAR', administrativeArea: area };
    expect(
      of('birth', {
        'child.placeOfBirth': 'PRIVATE_HOME',
        'child.birthLocation.privateHome': { ...address, addressType: 'DOMESTIC' },
      }).placeOfEvent,
    ).toBe(area);
    expect(
      of('birth', { 'child.birthLocation.other': { ...address, addressType: 'INTERNATIONAL' } }).placeOfEvent,
    ).toBe(office);
  });

  it('are nothing and the office where none can be read', () => {
    expect(of('birth', { 'child.dob': '2025-02-30', 'child.birthLocationId': 'somewhere' })).toEqual({
      dateOfEvent: null,
      placeOfEvent: office,
    });
  });

  it('are the day and the office of creation for a type of event that is not known here', () => {
    expect(of('constructor', { 'child.dob': '2025-12-24' })).toEqual({
      dateOfEvent: '2026-01-02',
      placeOfEvent: office,
    });
  });
});

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
  ])('%s', (_, actions, flags) => {
    expect(types(...actions)).toEqual(flags);
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

describe('projecting on top of an imported record', () => {
  const imported = aRecord({
    id: aUuid(0xc1),
    trackingId: 'IMP123',
    status: 'REGISTERED',
    legalStatuses: { DECLARED: aLegalStatus(), REGISTERED: aRegisteredStatus() },
    updatedAt: minute(0),
    assignedTo: 'registrar',
    flags: ['sealed'],
    dateOfEvent: aCalendarDate('2020-01-01'),
  });

  it('is the imported record as long as nothing later is known', () => {
    expect(
      onTopOf(
        imported,
        { type: 'CREATE', createdAt: anInstant('2026-01-01T00:00:00Z') },
        { type: 'ARCHIVE', createdAt: anInstant('2026-01-02T07:59:59.999Z') },
      ),
    ).toEqual(imported);
  });

  it('goes on from it with later actions', () => {
    expect(
      onTopOf(
        imported,
        { type: 'CUSTOM', createdAt: minute(1), declaration: { 'child.nid': '1' } },
        { type: 'ARCHIVE', createdAt: minute(2), createdBy: 'archivist', createdByRole: null, createdAtLocation: null },
      ),
    ).toEqual({
      ...imported,
      status: 'ARCHIVED',
      updatedAt: minute(2),
      updatedBy: 'archivist',
      updatedByUserRole: null,
      updatedAtLocation: null,
      declaration: { ...imported.declaration, 'child.nid': '1' },
    });
  });

  it('leaves out the actions that were known when it was imported, whatever their time', () => {
    const known = anAction({ type: 'ARCHIVE', createdAt: minute(5) });
    const later = anAction({ type: 'CUSTOM', createdAt: minute(6), createdBy: 'later' });
    const project = (actions: readonly EventAction[], state: ImportedState) =>
      projectEvent(anEventDocument({ ...imported, actions }), state).record;
    expect(project([known], { record: imported, actions: 1 })).toEqual(imported);
    expect(project([known, later], { record: imported, actions: 1 })).toMatchObject({
      status: 'REGISTERED',
      updatedBy: 'later',
    });
  });

  it('takes up a request from before the import that is answered after it', () => {
    const request = { id: aUuid(0xc2), type: 'REQUEST_CORRECTION' as const };
    expect(
      onTopOf(
        imported,
        { ...request, createdAt: anInstant('2026-01-01T00:00:00Z'), declaration: { 'child.dob': '2019-05-05' } },
        { type: 'APPROVE_CORRECTION', createdAt: minute(1), requestId: request.id },
      ),
    ).toMatchObject({ dateOfEvent: '2019-05-05', declaration: { 'child.dob': '2019-05-05' } });
  });

  it('keeps the date and the place of the import until the fields that say them change', () => {
    const declare = { type: 'CUSTOM' as const, createdAt: minute(1) };
    expect(onTopOf(imported, { ...declare, declaration: { other: 'x' } })).toMatchObject({
      dateOfEvent: '2020-01-01',
      placeOfEvent: aUuid(0xa3),
    });
    expect(
      onTopOf(imported, { ...declare, declaration: { 'child.dob': null, 'child.birthLocationId': aUuid(0xd1) } }),
    ).toMatchObject({ dateOfEvent: null, placeOfEvent: aUuid(0xd1) });
  });

  it.each([
    ['REGISTERED', imported],
    ['DECLARED', aRecord()],
    ['NOTIFIED', aRecord({ legalStatuses: { DECLARED: null, REGISTERED: null }, flags: ['incomplete'] })],
    ['CREATED', aRecord({ legalStatuses: { DECLARED: null, REGISTERED: null } })],
  ])('brings an archived record back to %s, the furthest that it is known to have reached', (status, record) => {
    const archived = { ...record, status: 'ARCHIVED' as const };
    expect(onTopOf(archived, { type: 'UNARCHIVE', createdAt: record.updatedAt }).status).toBe(status);
  });

  // UNARCHIVE is left out: the status before ARCHIVE is a guess if it lies before the import.
  const aType = fc.constantFrom(...ACTION_TYPES.filter((type) => type !== 'CREATE' && type !== 'UNARCHIVE'));
  const aChange = fc.dictionary(fc.constantFrom('child.dob', 'a', 'b'), fc.constantFrom('x', '2026-01-01', null));
  const aHistory = fc
    .array(fc.record({ type: aType, status: fc.constantFrom(...ACTION_STATUSES), declaration: aChange }))
    .map((actions) => inTurn(CREATE, ...actions.map((action, n) => ({ ...action, registrationNumber: String(n) }))));

  it('agrees with the projection of the whole, wherever the history is cut between two answers', () => {
    const accepted = aHistory.map((actions) => actions.map((action) => ({ ...action, status: 'Accepted' as const })));
    fc.assert(
      fc.property(accepted, fc.nat(), (actions, at) => {
        const cut = 1 + (at % actions.length);
        const document = anEventDocument({ actions });
        const first = projectEvent({ ...document, actions: actions.slice(0, cut) });
        const state = { record: first.record, actions: cut };
        const { notified, record } = projectEvent(document, state);
        expect({ notified, record }).toEqual({
          notified: projectEvent(document).notified,
          record: projectEvent(document).record,
        });
      }),
    );
  });

  it('changes nothing when a part of the record arrives again as actions', () => {
    fc.assert(
      fc.property(aHistory, (actions) => {
        const document = anEventDocument({ actions });
        const { record } = projectEvent(document);
        fc.pre(record.updatedAt === actions.at(-1)?.createdAt);
        expect(projectEvent(document, { record, actions: 0 }).record).toEqual(record);
      }),
    );
  });
});
