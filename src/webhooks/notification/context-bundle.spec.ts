import { Fhir } from 'fhir';

import { aCalendarDate } from '../../../test/support/builders/a-calendar-date.js';
import { aRegisteredStatus } from '../../../test/support/builders/a-legal-status.js';
import { aRecord } from '../../../test/support/builders/a-record.js';
import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { anInstant } from '../../../test/support/builders/an-instant.js';
import { CONTEXT_DEVIATIONS } from '../../../test/support/context-deviations.js';
import type { EventRecord } from '../../kernel/domain/event-record.js';
import { contextBundle } from './context-bundle.js';
import type { ContextInput } from './context-mapping.js';

const BIRTH: EventRecord = aRecord({
  id: aUuid(1),
  trackingId: 'BQX7T2',
  status: 'REGISTERED',
  legalStatuses: {
    DECLARED: null,
    REGISTERED: aRegisteredStatus({ registrationNumber: '2026BQX7T2M', createdBy: 'registrar-7' }),
  },
  updatedAt: anInstant('2026-01-03T09:00:01.250Z'),
  declaration: {
    'child.name': { firstname: 'Åsa', middlename: 'Mwila', surname: 'Öberg' },
    'child.gender': 'female',
    'child.dob': '2025-12-24',
    'child.birthType': 'SINGLE',
    'mother.name': { firstname: 'Mutale', surname: 'Öberg' },
    'mother.dob': '1999-02-28',
    'mother.nid': '7012345678',
    'father.detailsNotAvailable': true,
    'informant.relation': 'MOTHER',
    'informant.phoneNo': '+260700000000',
    'documents.proofOfBirth': [
      { path: 'births/1.png', originalFilename: 'scan 1.png', type: 'image/png', option: 'NOTIFICATION_OF_BIRTH' },
      { path: 'births/2.pdf', originalFilename: 'scan 2.pdf', type: 'application/pdf', option: 'ATTESTED_LETTER' },
    ],
    'documents.proofOfMother': { path: 'births/3.jpg', originalFilename: 'id.jpg', type: 'image/jpeg' },
  },
});

const DEATH: EventRecord = aRecord({
  id: aUuid(2),
  type: 'death',
  status: 'REGISTERED',
  legalStatuses: { DECLARED: null, REGISTERED: aRegisteredStatus({ registrationNumber: '2026DAAAAAA' }) },
  dateOfEvent: aCalendarDate('2026-01-01'),
  declaration: {
    'deceased.name': { firstname: 'José', surname: 'Phiri' },
    'deceased.gender': 'MALE',
    'deceased.age': { age: 80, asOfDateRef: 'eventDetails.date' },
    'deceased.passport': 'ZN1234567',
    'eventDetails.date': '2026-01-01',
    'spouse.name': { firstname: 'Ana', surname: '' },
    'informant.relation': 'OTHER',
    'informant.other.relation': 'Neighbour',
    'documents.proofOfDeath': { path: 'deaths/1.png', originalFilename: 'x', type: 'image/png' },
    'documents.untyped': { path: 'deaths/2', originalFilename: 'y', pages: 2 },
  },
});

const of = (record: EventRecord, more: Partial<ContextInput> = {}): ContextInput => ({
  topic: record.type === 'birth' ? 'BIRTH_REGISTERED' : 'DEATH_REGISTERED',
  record,
  actionId: aUuid(0x77),
  files: new Map([['births/1.png', { contentType: 'image/png', bytes: Buffer.from('89504e470d0a1a0a', 'hex') }]]),
  areaOf: (office) => (office === aUuid(0xa2) ? aUuid(0xa1) : null),
  nameOf: (place) => (place === aUuid(0xa2) ? 'Ibombo District Office' : null),
  ...more,
});

const FAULTY: ReadonlySet<string> = new Set(['error', 'fatal']);
const META = { lastUpdated: '2026-01-03T09:00:01.250+00:00', versionId: aUuid(0x77) };

describe('contextBundle', () => {
  it('has no control characters in identifiers, and none that would be left empty', () => {
    const numbered = (registrationNumber: string, trackingId: string): EventRecord => ({
      ...{ ...BIRTH, trackingId },
      legalStatuses: { ...BIRTH.legalStatuses, REGISTERED: aRegisteredStatus({ registrationNumber }) },
    });
    const identifiersIn = (record: EventRecord): unknown[] =>
      contextBundle(of(record)).entry.flatMap(({ resource }) =>
        'identifier' in resource && Array.isArray(resource.identifier)
          ? resource.identifier.map(({ value }: { readonly value?: string }) => value)
          : [],
      );
    expect(identifiersIn(numbered('2026\u0001B\u001f', 'B\u0007X7T2')).slice(0, 4)).toEqual([
      ...[aUuid(1), 'B X7T2', '2026 B', '2026 B'],
    ]);
    expect(identifiersIn(numbered('\u0001', '\u0002')).slice(0, 2)).toEqual([aUuid(1), '7012345678']);
  });

  it('carries a birth as the interface lists it', () => {
    const { resourceType, type, entry } = contextBundle(of(BIRTH));
    const [task, child, mother, ...documents] = entry.map(({ resource }) => resource);
    expect(entry.map(({ fullUrl }) => fullUrl)).toEqual(entry.map(({ resource }) => `urn:uuid:${resource.id}`));
    expect({ resourceType, type }).toEqual({ resourceType: 'Bundle', type: 'document' });
    expect(task).toEqual({
      resourceType: 'Task',
      id: '91c5db44-2a06-56a3-9a32-1e445a7a6d75',
      status: 'ready',
      intent: 'order',
      code: { coding: [{ system: 'http://opencrvs.org/specs/types', code: 'BIRTH' }] },
      focus: { reference: `Composition/${aUuid(1)}` },
      identifier: [
        { system: 'http://opencrvs.org/specs/id/draft-id', value: aUuid(1) },
        { system: 'http://opencrvs.org/specs/id/birth-tracking-id', value: 'BQX7T2' },
        { system: 'http://opencrvs.org/specs/id/birth-registration-number', value: '2026BQX7T2M' },
      ],
      extension: [
        { url: 'http://opencrvs.org/specs/extension/contact-person', valueString: 'MOTHER' },
        { url: 'http://opencrvs.org/specs/extension/contact-person-phone-number', valueString: '+260700000000' },
        { url: 'http://opencrvs.org/specs/extension/timeLoggedMS', valueInteger: 0 },
        {
          url: 'http://opencrvs.org/specs/extension/regLastUser',
          valueReference: { reference: 'Practitioner/registrar-7' },
        },
        {
          url: 'http://opencrvs.org/specs/extension/regLastLocation',
          valueReference: { reference: `Location/${aUuid(0xa1)}` },
        },
        {
          url: 'http://opencrvs.org/specs/extension/regLastOffice',
          valueReference: { reference: `Location/${aUuid(0xa2)}`, display: 'Ibombo District Office' },
        },
      ],
      lastModified: '2026-01-03T09:00:01.250Z',
      businessStatus: { coding: [{ system: 'http://opencrvs.org/specs/reg-status', code: 'REGISTERED' }] },
      meta: META,
    });
    expect(child).toEqual({
      resourceType: 'Patient',
      id: expect.any(String) as string,
      active: true,
      name: [{ use: 'en', given: ['Åsa', 'Mwila'], family: ['Öberg'] }],
      gender: 'female',
      birthDate: '2025-12-24',
      multipleBirthInteger: 1,
      identifier: [
        {
          type: {
            coding: [{ system: 'http://opencrvs.org/specs/identifier-type', code: 'BIRTH_REGISTRATION_NUMBER' }],
          },
          value: '2026BQX7T2M',
        },
      ],
      meta: META,
    });
    expect(mother).toMatchObject({
      name: [{ use: 'en', given: ['Mutale'], family: ['Öberg'] }],
      birthDate: '1999-02-28',
      identifier: [{ type: { coding: [{ code: 'NATIONAL_ID' }] }, value: '7012345678' }],
    });
    expect(documents).toMatchObject([
      {
        resourceType: 'DocumentReference',
        masterIdentifier: { system: 'urn:ietf:rfc:3986' },
        status: 'current',
        type: {
          coding: [{ system: 'http://opencrvs.org/specs/supporting-doc-type', code: 'NOTIFICATION_OF_BIRTH' }],
        },
        content: [{ attachment: { contentType: 'image/png', data: 'data:image/png;base64,iVBORw0KGgo=' } }],
        subject: { display: 'CHILD' },
        meta: META,
      },
      {
        type: { coding: [{ code: 'ATTESTED_LETTER' }] },
        content: [{ attachment: { contentType: 'application/pdf', url: 'births/2.pdf', title: 'scan 2.pdf' } }],
        subject: { display: 'CHILD' },
      },
      {
        type: { coding: [{ code: 'PROOF_OF_MOTHER' }] },
        content: [{ attachment: { contentType: 'image/jpeg', url: 'births/3.jpg', title: 'id.jpg' } }],
        subject: { display: 'MOTHER' },
      },
    ]);
  });

  it('carries a death with the deceased first', () => {
    const [task, deceased, spouse, ...documents] = contextBundle(of(DEATH)).entry.map(({ resource }) => resource);
    expect(task).toMatchObject({
      code: { coding: [{ code: 'DEATH' }] },
      identifier: [
        { system: 'http://opencrvs.org/specs/id/draft-id' },
        { system: 'http://opencrvs.org/specs/id/death-tracking-id' },
        { system: 'http://opencrvs.org/specs/id/death-registration-number', value: '2026DAAAAAA' },
      ],
    });
    expect(deceased).toMatchObject({
      name: [{ use: 'en', given: ['José'], family: ['Phiri'] }],
      gender: 'male',
      deceasedDateTime: '2026-01-01',
      identifier: [
        { type: { coding: [{ code: 'DEATH_REGISTRATION_NUMBER' }] }, value: '2026DAAAAAA' },
        { type: { coding: [{ code: 'PASSPORT' }] }, value: 'ZN1234567' },
      ],
    });
    expect(deceased).not.toHaveProperty('birthDate');
    expect(spouse).toMatchObject({ name: [{ use: 'en', given: ['Ana'] }] });
    expect(documents).toMatchObject([
      { subject: { display: 'DECEASED' } },
      { content: [{ attachment: { url: 'deaths/2', title: 'y' } }] },
    ]);
  });

  it('says that a certificate was printed, which the status of a record does not', () => {
    const [entry] = contextBundle(of(BIRTH, { topic: 'BIRTH_CERTIFIED' })).entry;
    expect(entry?.resource).toMatchObject({ businessStatus: { coding: [{ code: 'CERTIFIED' }] } });
  });

  it('gives each part of an event the same id in every notification, and no two parts the same', () => {
    const ids = (input: ContextInput): string[] => contextBundle(input).entry.map(({ resource }) => resource.id);
    const first = ids(of(BIRTH));
    expect(ids(of(BIRTH, { topic: 'BIRTH_CORRECTED', actionId: aUuid(0x78) }))).toEqual(first);
    expect(new Set([...first, ...ids(of(DEATH))]).size).toBe(first.length + ids(of(DEATH)).length);
  });

  it('gives a file that one field names twice, as two documents, an id for each', () => {
    const file = { path: 'births/1.png', originalFilename: 'x', type: 'image/png' };
    const declaration = { 'documents.x': [{ ...file, option: 'PASSPORT' }, file] };
    const once = { 'documents.x': [{ ...file, option: 'PASSPORT' }] };
    const ids = (declared: EventRecord['declaration']): string[] =>
      contextBundle(of(aRecord({ id: aUuid(3), declaration: declared }))).entry.map(({ resource }) => resource.id);
    expect(ids(declaration)).toEqual([...ids(once), expect.any(String)]);
    expect(new Set(ids(declaration)).size).toBe(4);
  });

  it('leaves out what the declaration does not say, or says in another shape', () => {
    const declaration = { 'child.name': 'Åsa', 'child.dob': 'unknown', 'child.gender': 7, 'documents.x': ['y'] };
    const { entry } = contextBundle(of(aRecord({ declaration, updatedBy: null, updatedAtLocation: null })));
    expect(entry.map(({ resource }) => resource)).toMatchObject([
      { resourceType: 'Task' },
      { resourceType: 'Patient', active: true },
    ]);
    expect(Object.keys(entry[1]?.resource ?? {})).toEqual(['resourceType', 'id', 'active', 'meta']);
  });

  it('leaves out a number, and writes codes and addresses, as the data types of FHIR have them', () => {
    const declaration = {
      'child.birthOrder': 2_147_483_648,
      'documents.': { path: 'births/scan 1.png', originalFilename: 'scan', type: 'image/png;  q=1' },
      'documents.y': [{ path: 'births/2.png', originalFilename: 'y', type: 'image/png', option: 'ID \t CARD' }],
    };
    const [, child, ...documents] = contextBundle(of(aRecord({ declaration }))).entry.map(({ resource }) => resource);
    expect(child).not.toHaveProperty('multipleBirthInteger');
    expect(documents[0]).not.toHaveProperty('type');
    expect(documents).toMatchObject([
      { content: [{ attachment: { contentType: 'image/png; q=1', url: 'births/scan%201.png' } }] },
      { type: { coding: [{ code: 'ID CARD' }] } },
    ]);
    const largest = aRecord({ declaration: { 'child.birthOrder': 2_147_483_647 } });
    expect(contextBundle(of(largest)).entry[1]?.resource).toMatchObject({ multipleBirthInteger: 2_147_483_647 });
  });

  it('has no control characters, which no string of FHIR may have', () => {
    const declaration = {
      'child.name': { firstname: 'Amina\u0001Zo\u001b', surname: '\u0007' },
      'mother.name': { firstname: 'Line\nbreak', surname: 'Phiri' },
      'mother.nid': '70\u000b12',
      'informant.phoneNo': '\u0002',
      'documents.x': {
        path: 'births/\u00031.png',
        originalFilename: 'a\fb',
        type: 'image/\u001fpng',
        option: '\u0004',
      },
    };
    const nameOf = (): string => 'Ibombo\u0008Office';
    const { entry } = contextBundle(of(aRecord({ declaration, updatedAtLocation: aUuid(0xa2) }), { nameOf }));
    const [task, child, mother, document] = entry.map(({ resource }) => resource);

    expect(JSON.stringify(entry)).not.toMatch(/\\u00[01]|\\[bf]/);
    expect(JSON.stringify(task)).not.toContain('contact-person-phone-number');
    expect(JSON.stringify(task)).toContain('"display":"Ibombo Office"');
    expect(child).toMatchObject({ name: [{ given: ['Amina Zo'] }] });
    expect(mother).toMatchObject({ name: [{ given: ['Line\nbreak'] }], identifier: [{ value: '70 12' }] });
    expect(document).toMatchObject({
      type: { coding: [{ code: 'X' }] },
      content: [{ attachment: { contentType: 'image/ png', url: 'births/%031.png', title: 'a b' } }],
    });
  });

  it.each([
    ['birth', BIRTH],
    ['death', DEATH],
    ['a birth of which nothing is known', aRecord({ declaration: {} })],
  ])('is valid FHIR R4 for %s, apart from the deviations that are documented', (_, record) => {
    const { messages } = new Fhir().validate(contextBundle(of(record)), { errorOnUnexpected: true });
    const faulty = messages
      .filter(({ severity }) => FAULTY.has(String(severity)))
      .map(({ location = '' }) => location.replace(/\[\d+\]/g, ''));
    const documented = CONTEXT_DEVIATIONS.map(({ element }) => element);
    expect(faulty.filter((element) => !documented.includes(element))).toEqual([]);
  });
});
