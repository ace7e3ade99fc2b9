import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { anEventDocument } from '../../../test/support/builders/an-event-document.js';
import { CREATE, inTurn, recordOf } from '../../../test/support/projected-records.js';
import { WITHOUT_FORMS } from '../../../test/support/without-forms.js';
import type { EventAction } from '../../kernel/domain/event-action.js';
import { projectEvent } from './project-event.js';

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

  it('has no null inside the members of a list', () => {
    expect(declarationOf(declare({ list: [{ a: null, b: [{ c: 1, d: null }] }] }))).toEqual({
      list: [{ b: [{ c: 1 }] }],
    });
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
    const { dateOfEvent, placeOfEvent } = projectEvent(anEventDocument({ type, actions }), WITHOUT_FORMS).record;
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
