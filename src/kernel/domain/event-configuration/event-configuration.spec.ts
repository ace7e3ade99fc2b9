import type { FieldKind } from './event-type.js';
import { EventConfiguration } from './event-configuration.js';
import { withoutForm } from './shipped-event-types.js';

describe('EventConfiguration', () => {
  const form = (id: string, kinds: Readonly<Record<string, FieldKind>>) => {
    const fields = Object.entries(kinds).map(
      ([field, kind]) =>
        [field, { id: field, kind, label: null, isRequired: false, isSecured: false, isCorrectable: true }] as const,
    );
    return [id, { ...withoutForm(id), fields: new Map(fields) }] as const;
  };

  it('knows the dates of its forms, and those that ship where a type has no form (S-10)', () => {
    const forms = new Map([form('birth', { 'child.dob': 'DATE', 'mother.dob': 'TEXT', name: 'NAME' })]);
    expect([...new EventConfiguration(['birth'], forms).dateFields]).toEqual(['child.dob']);
    expect([...new EventConfiguration(['birth', 'adoption'], forms).dateFields]).toEqual([
      'child.dob',
      'father.dob',
      'informant.dob',
      'deceased.dob',
      'spouse.dob',
      'eventDetails.date',
      'eventDetails.dateOfDeath',
      'deceased.dateOfDeath',
      'marriageDetails.dateOfMarriage',
      'marriage.dateOfMarriage',
      'marriage.date',
    ]);
  });

  it('knows the fields by which nothing is sorted: those without an order in every form that has them (S-12)', () => {
    const forms = new Map([
      form('birth', { address: 'ADDRESS', files: 'FILE_LIST', age: 'AGE', name: 'NAME', place: 'LOCATION' }),
      form('death', { address: 'ADDRESS', age: 'NUMBER' }),
    ]);
    expect([...new EventConfiguration(['birth', 'death', 'adoption'], forms).unorderedFields]).toEqual([
      'address',
      'files',
    ]);
  });
});
