import fc from 'fast-check';
import { aCalendarDate } from '../../../test/support/builders/a-calendar-date.js';
import { aLegalStatus, aRegisteredStatus } from '../../../test/support/builders/a-legal-status.js';
import { aRecord } from '../../../test/support/builders/a-record.js';
import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { anAction } from '../../../test/support/builders/an-action.js';
import { anEventDocument } from '../../../test/support/builders/an-event-document.js';
import { anInstant } from '../../../test/support/builders/an-instant.js';
import { CREATE, inTurn, minute, onTopOf } from '../../../test/support/projected-records.js';
import { WITHOUT_FORMS } from '../../../test/support/without-forms.js';
import { ACTION_STATUSES, ACTION_TYPES, type EventAction } from '../../kernel/domain/event-action.js';
import { type ImportedState, projectEvent } from './project-event.js';

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
      projectEvent(anEventDocument({ ...imported, actions }), WITHOUT_FORMS, state).record;
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
        const first = projectEvent({ ...document, actions: actions.slice(0, cut) }, WITHOUT_FORMS);
        const state = { record: first.record, actions: cut };
        const { notified, record } = projectEvent(document, WITHOUT_FORMS, state);
        expect({ notified, record }).toEqual({
          notified: projectEvent(document, WITHOUT_FORMS).notified,
          record: projectEvent(document, WITHOUT_FORMS).record,
        });
      }),
    );
  });

  it('changes nothing when a part of the record arrives again as actions', () => {
    fc.assert(
      fc.property(aHistory, (actions) => {
        const document = anEventDocument({ actions });
        const { record } = projectEvent(document, WITHOUT_FORMS);
        fc.pre(record.updatedAt === actions.at(-1)?.createdAt);
        expect(projectEvent(document, WITHOUT_FORMS, { record, actions: 0 }).record).toEqual(record);
      }),
    );
  });
});
