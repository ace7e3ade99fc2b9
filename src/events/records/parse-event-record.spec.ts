import fc from 'fast-check';

import { aLegalStatus, aRegisteredStatus } from '../../../test/support/builders/a-legal-status.js';
import { aRecord } from '../../../test/support/builders/a-record.js';
import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { parseEventRecord } from './parse-event-record.js';

const REQUIRED = {
  id: '00000001-0000-4000-8000-000000000001',
  type: 'birth',
  status: 'CREATED',
  legalStatuses: {},
  createdAt: '2026-01-02T08:00:00Z',
  createdBy: 'u-1',
  updatedAt: '2026-01-02T08:00:00Z',
  trackingId: 'ABC123',
  potentialDuplicates: [],
  flags: [],
  declaration: {},
};

const issuesOf = (value: unknown): readonly string[] => {
  const parsed = parseEventRecord(value);
  return parsed.kind === 'faulty' ? parsed.issues.map((issue) => issue.message) : [];
};

const declarationOf = (declaration: unknown): unknown => {
  const parsed = parseEventRecord({ ...REQUIRED, declaration });
  return parsed.kind === 'parsed' ? parsed.value.declaration : parsed.issues.map((issue) => issue.message);
};

describe('parsing an event record', () => {
  it('takes a record without anything that is not required, and has null for it', () => {
    expect(parseEventRecord(REQUIRED)).toEqual({
      kind: 'parsed',
      value: {
        ...REQUIRED,
        legalStatuses: { DECLARED: null, REGISTERED: null },
        createdAt: '2026-01-02T08:00:00.000Z',
        updatedAt: '2026-01-02T08:00:00.000Z',
        dateOfEvent: null,
        placeOfEvent: null,
        createdByUserType: null,
        updatedByUserRole: null,
        createdAtLocation: null,
        updatedAtLocation: null,
        assignedTo: null,
        updatedBy: null,
      },
    });
  });

  it('takes back what a search answers, nulls and all (S-13)', () => {
    const record = aRecord({
      status: 'REGISTERED',
      legalStatuses: {
        DECLARED: aLegalStatus({ createdAtLocation: null, createdByUserType: null, createdByRole: null }),
        REGISTERED: aRegisteredStatus(),
      },
      dateOfEvent: null,
      placeOfEvent: null,
      createdByUserType: null,
      updatedByUserRole: null,
      createdAtLocation: null,
      updatedAtLocation: null,
      updatedBy: null,
      potentialDuplicates: [{ id: aUuid(7), trackingId: 'DUP123' }],
      flags: ['register:requested', 'incomplete', 'a country’s own'],
    });
    expect(parseEventRecord(JSON.parse(JSON.stringify(record)))).toEqual({ kind: 'parsed', value: record });
  });

  it('names every fault with its path', () => {
    expect(
      issuesOf({
        ...aRecord(),
        id: '00000001-0000-9000-8000-000000000001',
        type: '',
        status: 'declared',
        legalStatuses: {
          DECLARED: { ...aLegalStatus(), registrationNumber: '1', acceptedAt: '2026-01-02' },
          REGISTERED: { ...aLegalStatus(), createdByUserType: 'robot' },
          NOTIFIED: null,
        },
        createdAt: '2026-01-02T08:00:00+02:00',
        dateOfEvent: '2025-02-29',
        createdBy: undefined,
        assignedTo: 7,
        potentialDuplicates: [{ id: aUuid(1), trackingId: 'A', 'more to it': 1 }, 'x'],
        flags: ['ok', '', 3],
        declaration: [],
        surprise: true,
      }),
    ).toEqual([
      'id: must be a UUID',
      'type: must be text of 1 to 256 characters without U+0000 and without unpaired surrogates',
      'status: must be one of CREATED, NOTIFIED, DECLARED, REGISTERED, ARCHIVED, REVOKED',
      'legalStatuses.NOTIFIED: is not a known key',
      'legalStatuses.DECLARED.registrationNumber: is not a known key',
      'legalStatuses.DECLARED.acceptedAt: must be a date-time in UTC that ends with Z, such as 2026-01-02T03:04:05.000Z',
      'legalStatuses.REGISTERED.createdByUserType: must be "user" or "system", or null',
      'legalStatuses.REGISTERED.registrationNumber: is required and must be text of 1 to 256 characters without U+0000 and without unpaired surrogates',
      'createdAt: must be a date-time in UTC that ends with Z, such as 2026-01-02T03:04:05.000Z',
      'dateOfEvent: must be a calendar date YYYY-MM-DD, or null',
      'createdBy: is required and must be text of 1 to 256 characters without U+0000 and without unpaired surrogates',
      'assignedTo: must be text of 0 to 256 characters without U+0000 and without unpaired surrogates, or null',
      'potentialDuplicates[0]["more to it"]: is not a known key',
      'potentialDuplicates[1]: must be an object',
      'flags[1]: must be text of 1 to 256 characters without U+0000 and without unpaired surrogates',
      'flags[2]: must be text of 1 to 256 characters without U+0000 and without unpaired surrogates',
      'declaration: must be an object that maps field ids to values',
      'surprise: is not a known key',
    ]);
  });

  it.each([null, 7, 'text', [], undefined])('refuses %j, which is no object', (value) => {
    expect(issuesOf(value)).toEqual(['body: must be an object']);
  });

  it('stops noting faults at a hundred', () => {
    const issues = issuesOf({ ...REQUIRED, flags: Array.from({ length: 5000 }, () => '') });
    expect([issues.length, issues.at(-1)]).toEqual([101, 'body: has 4900 more faults than are listed']);
  });

  it('writes UUIDs in lower case, cuts times to milliseconds and keeps a repeated flag once', () => {
    const parsed = parseEventRecord({
      ...REQUIRED,
      id: 'ABCDEF01-0000-4000-8000-00000000000A',
      createdAt: '2026-01-02T08:00Z',
      updatedAt: '2026-01-02T08:00:01.123999Z',
      flags: ['b', 'a', 'b'],
    });
    expect(parsed).toMatchObject({
      value: {
        id: 'abcdef01-0000-4000-8000-00000000000a',
        createdAt: '2026-01-02T08:00:00.000Z',
        updatedAt: '2026-01-02T08:00:01.123Z',
        flags: ['b', 'a'],
      },
    });
  });

  it('refuses __proto__ as a key of a record', () => {
    expect(issuesOf(JSON.parse(`${JSON.stringify(REQUIRED).slice(0, -1)},"__proto__":{"id":"x"}}`))).toEqual([
      '__proto__: is not a known key',
    ]);
  });
});

describe('a declaration', () => {
  it('may hold any JSON, and loses the nulls inside objects and lists', () => {
    expect(
      declarationOf({
        'child.name': { firstname: 'A', surname: null },
        'child.nothing': null,
        list: [null, { a: null, b: [null, 1] }, 'x'],
        number: 1.5,
        boolean: false,
        empty: {},
        constructor: 'a field like any other',
      }),
    ).toEqual({
      'child.name': { firstname: 'A' },
      list: [{ b: [1] }, 'x'],
      number: 1.5,
      boolean: false,
      empty: {},
      constructor: 'a field like any other',
    });
  });

  it('is refused where Postgres or JSON could not keep it', () => {
    const value = JSON.parse(
      String.raw`{"a\u0000": 1, "b": {"\ud800": 1}, "c": "x\u0000", "d": ["\udc00"], "e": 1e999, "f": 9007199254740993, "__proto__": {}}`,
    ) as unknown;
    expect(declarationOf(value)).toEqual([
      String.raw`declaration["a\u0000"]: the key must be text without U+0000 and without unpaired surrogates`,
      String.raw`declaration.b["\ud800"]: the key must be text without U+0000 and without unpaired surrogates`,
      'declaration.c: must be text without U+0000 and without unpaired surrogates',
      'declaration.d[0]: must be text without U+0000 and without unpaired surrogates',
      'declaration.e: must be a number that can be kept exactly; longer ones go in as text',
      'declaration.f: must be a number that can be kept exactly; longer ones go in as text',
      'declaration.__proto__: the key is refused',
    ]);
  });

  it('may be nested 32 levels deep and no deeper', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 'leaf' : { in: nested(levels - 1) });
    expect(declarationOf({ a: nested(32) })).toEqual({ a: nested(32) });
    expect(declarationOf({ a: nested(33) })).toEqual([
      `declaration.a${'.in'.repeat(32)}: must not be nested deeper than 32 levels`,
    ]);
  });

  it('has files whose path stays inside the storage bucket', () => {
    const file = (path: string): unknown => ({ path, originalFilename: 'a.png', type: 'image/png' });
    expect(declarationOf({ a: file('a/b..c.png') })).toEqual({ a: file('a/b..c.png') });
    expect(declarationOf({ a: file('/a.png'), b: [file('a/../../b.png')] })).toEqual([
      'declaration.a.path: must be relative to the storage bucket: no leading / and no ..',
      'declaration.b[0].path: must be relative to the storage bucket: no leading / and no ..',
    ]);
  });

  it('is read once and for all: reading what was read changes nothing', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 4 })), (value) => {
        const once = declarationOf(value);
        fc.pre(!Array.isArray(once));
        expect(declarationOf(once)).toEqual(once);
        expect(JSON.stringify(once)).not.toMatch(/[:[,]null/);
      }),
    );
  });
});
