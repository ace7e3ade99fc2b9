import fc from 'fast-check';

import { searchSchemas } from '../../../src/events/search/search.openapi.js';
import { aSearchRequestBody } from '../../support/arbitrary-request.js';
import { schemaValidator } from '../../support/schema-validator.js';
import { readCases } from './cases.js';

const validate = schemaValidator(searchSchemas(10_000));

/** What a schema cannot say: two values compared, days of leap years, whose cursor it is, what the client accepts. */
const BEYOND_A_SCHEMA = [
  'cursor where none is taken',
  'date range turned round',
  'date range turned round in the zone',
  'date range turned round in every zone',
  'limit past the configured maximum',
];

describe('the published schema of a search request', () => {
  it.each(readCases().map((golden) => [golden.name, golden] as const))('agrees with the parser: %s', (name, golden) => {
    const isAccepted = validate('SearchRequest', golden.request).length === 0;
    expect(isAccepted).toBe(golden.issues === undefined || BEYOND_A_SCHEMA.includes(name));
  });

  it('takes every body that the parser takes', () => {
    fc.assert(
      fc.property(aSearchRequestBody(), (body) => {
        expect(validate('SearchRequest', JSON.parse(JSON.stringify(body)))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the published schema of an explanation', () => {
  it('takes what a search takes, but for a cursor', () => {
    const request = { query: { clauses: [{ eventType: 'birth' }] }, limit: 0 };
    expect(validate('ExplainRequest', request)).toEqual([]);
    expect(validate('ExplainRequest', { ...request, cursor: null })).not.toEqual([]);
  });
});

describe('the published schema of a date-time', () => {
  it.each(['2026-58-01T00:00Z', '2026-02-30T00:00:00Z', '2026-04-31T00:00:00Z', '2026-00-10T00:00:00Z'])(
    'refuses %s, which is of no year',
    (text) => {
      expect(validate('DateOrDateTime', text)).not.toEqual([]);
    },
  );
});
