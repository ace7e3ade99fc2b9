import type { RecordOptions } from '../../../kernel/domain/scopes/caller.js';
import { ServiceError } from '../../../kernel/errors/service-error.js';
import { guardOf, refuseSecured } from './refuse-secured.js';
import { parseSearchRequest } from './parse-search-request.js';

const SECURED = new Map([
  ['birth', { fieldIds: new Set(['child.nid', 'child.dob']), copies: new Set(['dateOfEvent' as const]) }],
]);

const exact = { type: 'exact', term: '1' };

/** What a search is refused with, for a caller who may read these records. */
function refusalOf(body: object, readable: readonly RecordOptions[] = []): unknown {
  try {
    refuseSecured(parseSearchRequest(body, { maxLimit: 100 }), guardOf(SECURED, readable));
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [error.code, ...error.issues.map(({ message }) => message)];
  }
}

const EVERYTHING = { clauses: [{ status: { type: 'exact', term: 'REGISTERED' } }] };

describe('a search by a caller who may read no record', () => {
  it.each([
    [
      'a condition on a secured field, wherever it is in the tree',
      { query: { clauses: [{ type: 'or', clauses: [{ data: { 'child.name': exact, 'child.nid': exact } }] }] } },
      ['query.clauses[0].clauses[0].data["child.nid"]: child.nid is a secured field'],
    ],
    [
      'a map into one',
      { query: { clauses: [{ data: { 'child.nid': { data: exact } } }] } },
      ['query.clauses[0].data["child.nid"]: child.nid is a secured field'],
    ],
    [
      'a condition on any field',
      { query: { clauses: [{ data: exact }] } },
      ['query.clauses[0].data: any field includes secured fields, such as child.nid: name the fields to look in'],
    ],
    [
      "an order by one, in upstream's spelling too, or by a copy of one",
      {
        query: EVERYTHING,
        sort: [{ field: 'trackingId' }, { field: 'declaration.child____nid' }, { field: 'dateOfEvent' }],
      },
      ['sort[1].field: child.nid is a secured field', 'sort[2].field: dateOfEvent is a secured field'],
    ],
  ])('is refused for %s', (_, body, issues) => {
    expect(refusalOf(body)).toEqual(['FORBIDDEN', ...issues]);
  });

  it('is answered where it asks for nothing secured', () => {
    const body = {
      query: { clauses: [{ data: { 'child.name': exact } }] },
      sort: [{ field: 'placeOfEvent' }, { field: 'declaration.child.name' }],
    };
    expect(refusalOf(body)).toBeUndefined();
  });
});

describe('a search by a caller who may read some records', () => {
  it('is answered, and secured fields match only in those', () => {
    expect(
      refusalOf({ query: { clauses: [{ data: { 'child.nid': exact } }] } }, [{ event: ['birth'] }]),
    ).toBeUndefined();
  });
});

describe('the guard of a caller', () => {
  it('is not there where nothing is secured, or everything may be read', () => {
    expect([guardOf(new Map(), []), guardOf(SECURED, 'everything')]).toEqual([undefined, undefined]);
  });
});
