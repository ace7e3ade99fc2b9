/** A point in which a context differs from FHIR R4. */
export interface ContextDeviation {
  /** The element, as FHIR writes it. */
  readonly element: string;
  readonly r4: string;
  readonly here: string;
  readonly because: string;
}

/** Every point in which contexts differ from FHIR R4 (W-13); in all others they are valid, which a test checks. */
export const CONTEXT_DEVIATIONS: readonly ContextDeviation[] = [
  {
    element: 'Bundle.type',
    r4: 'a `document` begins with a Composition and has an identifier and a timestamp',
    here: '`document`, beginning with the Task; the Composition is named in `Task.focus`',
    because: 'the interface lists Task, Patient and DocumentReference entries alone',
  },
  {
    element: 'Patient.name.use',
    r4: 'one of `usual`, `official`, `temp`, `nickname`, `anonymous`, `old`, `maiden`',
    here: '`en`',
    because: 'existing receivers look the name up under it',
  },
  {
    element: 'Patient.name.family',
    r4: 'a string',
    here: 'a list of one string',
    because: 'existing receivers read a list, as FHIR STU3 had it',
  },
  {
    element: 'DocumentReference.content.attachment.data',
    r4: 'base64',
    here: 'a data URL, whose base64 part is the content',
    because: 'the interface says so',
  },
];
