import { ServiceError } from '../../../src/kernel/errors/service-error.js';
import { parseSearchRequest } from '../../../src/events/search/request/parse-search-request.js';
import { readCases } from './cases.js';

/** `{"parsed": …}`, or every issue of the refusal in order. */
function outcomeOf(request: unknown): unknown {
  try {
    return { parsed: parseSearchRequest(request, { maxLimit: 10_000 }) };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'BAD_REQUEST') throw error;
    return { issues: error.issues.map(({ message }) => message) };
  }
}

describe('a search request is read as written down', () => {
  it.each(readCases().map(({ name, ...rest }) => [name, rest] as const))('%s', (_, { request, ...expected }) => {
    expect(outcomeOf(request)).toStrictEqual(expected);
  });
});
