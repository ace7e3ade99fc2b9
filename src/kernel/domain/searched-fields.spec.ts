import { aRegisteredStatus } from '../../../test/support/builders/a-legal-status.js';
import { aRecord } from '../../../test/support/builders/a-record.js';
import { type Column, RECORD_COLUMNS, SCALAR_FIELDS } from './record-columns.js';
import { fieldsOn, SEARCHED_FIELDS } from './searched-fields.js';

const REGISTERED = aRegisteredStatus();
const record = aRecord({ legalStatuses: { DECLARED: null, REGISTERED } });

describe('the fields of a record that hold one value', () => {
  it('are read by their names, and are null where a legal status is missing', () => {
    const { assignedTo, trackingId } = SCALAR_FIELDS;
    expect([assignedTo.read(record), trackingId.read(record)]).toEqual([null, record.trackingId]);
    expect(SCALAR_FIELDS['legalStatuses.DECLARED.createdBy'].read(record)).toBeNull();
    expect(SCALAR_FIELDS['legalStatuses.REGISTERED.registrationNumber'].read(record)).toBe(
      REGISTERED.registrationNumber,
    );
  });

  it('may be null where the record may be without them, and in every legal status', () => {
    const { createdBy, updatedBy } = SCALAR_FIELDS;
    expect([createdBy.isNullable, updatedBy.isNullable]).toEqual([false, true]);
    expect(SCALAR_FIELDS['legalStatuses.DECLARED.createdBy'].isNullable).toBe(true);
  });
});

describe('the table of columns', () => {
  it('names each column and each kind of terms once', () => {
    const columns = Object.values(RECORD_COLUMNS).map(({ column }) => column);
    const searches = Object.values(SEARCHED_FIELDS).map(({ search }) => search);
    const terms = searches.flatMap((search) => ('terms' in search ? [search.terms] : []));
    expect([...new Set(columns)]).toEqual(columns);
    expect([...new Set(terms)]).toEqual(terms);
  });

  it('is searched by the key of the condition', () => {
    expect(SEARCHED_FIELDS.eventType).toMatchObject({ name: 'type', column: 'type', kind: 'name' });
    expect(SEARCHED_FIELDS.eventType.read(record)).toBe('birth');
    expect(fieldsOn('instant').map(({ name }) => name)).toEqual([
      'createdAt',
      'updatedAt',
      'legalStatuses.REGISTERED.acceptedAt',
    ]);
  });

  it('does not compile with what a field cannot be', () => {
    // @ts-expect-error a place has no histogram
    const place: Column<'uuid'> = { column: 'place_of_event', search: { on: 'instant' } };
    // @ts-expect-error a day is no instant
    const day: Column<'date'> = { column: 'date_of_event', search: { on: 'instant' } };
    // @ts-expect-error of a role there is one for many records
    const role: Column<'text'> = { column: 'role', search: { on: 'text', accepts: 'plain', values: 'unique' } };
    // @ts-expect-error shared values are found by terms
    const status: Column<'status'> = { column: 'status', search: { on: 'text', accepts: ['exact'], values: 'words' } };
    // @ts-expect-error records have no such field
    expect([place, day, role, status, SCALAR_FIELDS['title']]).toHaveLength(5);
  });
});
