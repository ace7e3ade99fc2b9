import { aLegalStatus, aRegisteredStatus } from '../../../test/support/builders/a-legal-status.js';
import { aRecord } from '../../../test/support/builders/a-record.js';
import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { schemaValidator } from '../../../test/support/schema-validator.js';
import { parseExportRequest, parseSearchRequest } from './request/parse-search-request.js';
import { searchSchemas } from './search.openapi.js';

const SEARCH_SCHEMAS = searchSchemas(10_000);
const validate = schemaValidator(SEARCH_SCHEMAS);

describe('the schemas of a search', () => {
  it('refer to nothing but each other', () => {
    const referred = [...JSON.stringify(SEARCH_SCHEMAS).matchAll(/"#\/components\/schemas\/(\w+)"/g)];
    expect(Object.keys(SEARCH_SCHEMAS)).toEqual(expect.arrayContaining(referred.map(([, name]) => name)));
  });

  it('have patterns that name no half of a surrogate pair, which is no character in other languages', () => {
    expect(JSON.stringify(SEARCH_SCHEMAS)).not.toMatch(/\\u[dD][89a-fA-F]/);
  });

  it.each(['😀', '\u{10FFFF}', '\uD7FF\uE000\uFFFF', ''])('take the text %j', (term) => {
    expect(validate('Exact', { type: 'exact', term })).toEqual([]);
  });

  it.each(['\0', '\uD83D', '\uDE00\uD83D'])('refuse the text %j', (term) => {
    expect(validate('Exact', { type: 'exact', term })).not.toEqual([]);
  });

  it.each(Object.keys(SEARCH_SCHEMAS))('%s: its examples are valid', (name) => {
    const { examples = [] } = SEARCH_SCHEMAS[name] ?? {};
    for (const example of Array.isArray(examples) ? examples : [examples]) {
      expect(validate(name, example)).toEqual([]);
    }
  });
});

describe('the schema of a request', () => {
  it.each([
    [10_000, { minimum: 0, default: 100 }],
    [20, { minimum: 0, default: 20 }],
  ])('has the default that a search takes where SEARCH_MAX_LIMIT is %d', (maxLimit, bounds) => {
    const { SearchRequest, ExplainRequest } = searchSchemas(maxLimit);
    const limits = [SearchRequest, ExplainRequest].map((schema) => schema?.properties?.['limit']);
    expect(limits).toMatchObject([
      {
        ...bounds,
        maximum: Number.MAX_SAFE_INTEGER,
        description: expect.stringContaining(`at most ${maxLimit} (`) as unknown,
      },
      { ...bounds, maximum: maxLimit },
    ]);
    const { limit } = parseSearchRequest({ query: { clauses: [{ eventType: 'birth' }] } }, { maxLimit });
    expect(limit).toBe(bounds.default);
  });

  it('takes for a stream a limit that is none of a page', () => {
    const asked = { query: { clauses: [{ eventType: 'birth' }] }, limit: 10_001 };
    expect(parseExportRequest(asked)).toMatchObject({ limit: 10_001 });
    expect(validate('SearchRequest', asked)).toEqual([]);
    expect(validate('ExplainRequest', asked)).not.toEqual([]);
    expect(validate('SearchRequest', { ...asked, limit: -1 })).not.toEqual([]);
  });
});

describe('the schema of an answer', () => {
  it('takes a record with a null wherever one may be', () => {
    const record = aRecord({
      legalStatuses: { DECLARED: null, REGISTERED: null },
      dateOfEvent: null,
      placeOfEvent: null,
      createdByUserType: null,
      updatedByUserRole: null,
      createdAtLocation: null,
      updatedAtLocation: null,
      assignedTo: null,
      updatedBy: null,
    });
    expect(validate('SearchResponse', { results: [record], total: 1 })).toEqual([]);
  });

  it('takes a registered record with every shape of a declaration value', () => {
    const record = aRecord({
      legalStatuses: {
        DECLARED: aLegalStatus({ createdAtLocation: null, createdByUserType: null, createdByRole: null }),
        REGISTERED: aRegisteredStatus(),
      },
      potentialDuplicates: [{ id: aUuid(), trackingId: 'K3PZ9A' }],
      flags: ['incomplete', 'register:requested', 'a flag of the country'],
      declaration: {
        text: 'Lusaka',
        time: '08:30',
        number: 3.25,
        boolean: false,
        domestic: {
          country: 'FAR',
          addressType: 'DOMESTIC',
          administrativeArea: aUuid(),
          streetLevelDetails: { town: 'Ibombo' },
        },
        international: { country: 'SWE', addressType: 'INTERNATIONAL' },
        name: { firstname: 'Chilufya', surname: 'Musonda', middlename: '' },
        nameInParts: { surname: 'Musonda' },
        age: { age: 31, asOfDateRef: 'child.dob' },
        period: { start: '2024-01-01', end: '2024-02-01' },
        file: { path: 'a/b.png', originalFilename: 'b.png', type: 'image/png' },
        files: [{ path: 'a/b.png', originalFilename: 'b.png', type: 'image/png', option: 'ID' }],
        quantity: {},
        labelled: { label: 'Other', value: 'other' },
        state: { loading: false, error: { statusCode: 404, message: 'none' }, data: [[1], {}] },
        holder: { data: { nid: '7' }, updatedAt: '2024-01-01T00:00:00.000Z' },
        group: { data: { 'inner.field': { deeper: true } } },
      },
    });
    expect(validate('SearchResponse', { results: [record], total: 1 })).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['with another key', { ...aRecord(), title: 'x' }],
    ['without a key', Object.fromEntries(Object.entries(aRecord()).filter(([key]) => key !== 'assignedTo'))],
    ['with a time that is not in UTC', { ...aRecord(), updatedAt: '2024-01-01T00:00:00+02:00' }],
    ['with an unknown status', { ...aRecord(), status: 'ISSUED' }],
    [
      'with a registered status without its number',
      { ...aRecord(), legalStatuses: { DECLARED: null, REGISTERED: aLegalStatus() } },
    ],
  ])('refuses a record %s', (_, record) => {
    expect(validate('EventRecord', record)).not.toEqual([]);
  });

  it('refuses an error object with another key, or an unknown code', () => {
    expect(validate('ErrorObject', { message: 'x', code: 'NOT_FOUND' })).toEqual([]);
    expect(validate('ErrorObject', { message: 'x', code: 'NOT_FOUND', data: {} })).not.toEqual([]);
    expect(validate('ErrorObject', { message: 'x', code: 'GONE' })).not.toEqual([]);
  });
});
