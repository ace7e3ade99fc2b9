/** A form in which the child's date of birth and number are secured. */
export const SECURED_FORMS = {
  events: [
    {
      id: 'birth',
      fields: [
        { id: 'child.name', kind: 'NAME' },
        { id: 'child.dob', kind: 'DATE', secured: true },
        { id: 'child.nid', kind: 'TEXT', secured: true },
        { id: 'mother.nid', kind: 'TEXT' },
      ],
    },
    { id: 'death', fields: [{ id: 'deceased.name', kind: 'NAME' }] },
  ],
};
