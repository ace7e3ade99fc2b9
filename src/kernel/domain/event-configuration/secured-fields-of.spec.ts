import type { FormField } from './event-type.js';
import { securedFieldsOf } from './event-configuration.js';
import { withoutForm } from './shipped-event-types.js';

const aField = (id: string, isSecured: boolean): [string, FormField] => [
  id,
  { id, kind: 'TEXT', label: null, isRequired: false, isSecured, isCorrectable: true },
];

describe('the secured fields of an event type', () => {
  it('are those of its form, with what may be a copy of one', () => {
    const birth = {
      ...withoutForm('birth'),
      fields: new Map([aField('child.dob', true), aField('child.name', false), aField('child.nid', true)]),
      dateOfEvent: ['child.birthday', 'child.dob'],
      placeOfEvent: ['child.name'],
    };
    expect(securedFieldsOf([birth])).toEqual(
      new Map([['birth', { fieldIds: new Set(['child.dob', 'child.nid']), copies: new Set(['dateOfEvent']) }]]),
    );
  });

  it('are not there without a form, or where none is secured', () => {
    const death = { ...withoutForm('death'), fields: new Map([aField('deceased.name', false)]) };
    expect(securedFieldsOf([withoutForm('birth'), death])).toEqual(new Map());
  });
});
