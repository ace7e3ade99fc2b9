import fc from 'fast-check';

import { SEARCH_SCHEMAS } from '../../../src/events/search/search.openapi.js';
import { aSearchRequestBody } from '../../support/arbitrary-request.js';
import { schemaValidator } from '../../support/schema-validator.js';
import { readCases } from './cases.js';

const validate = schemaValidator(SEARCH_SCHEMAS);

/** What a schema cannot say: two values compared, text that Postgres cannot hold, a limit that is configured, whose cursor it is. */
const BEYOND_A_SCHEMA = [
  'cursor where none is taken',
  'date range turned round',
  'date range turned round in the zone',
  'date range turned round in every zone',
  'limit past the configured maximum',
  'text that postgres cannot hold',
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
