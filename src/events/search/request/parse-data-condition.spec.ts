import { ServiceError } from '../../../kernel/errors/service-error.js';
import { parseSearchRequest, type SearchBounds } from './parse-search-request.js';

const bounds: SearchBounds = { maxLimit: 10 };
const search = (clause: unknown): unknown => ({ query: { clauses: [clause] } });

/** The issues of a refused body; a body that is accepted, or any other error, fails the test. */
function issuesOf(body: unknown, most: SearchBounds): readonly string[] {
  try {
    parseSearchRequest(body, most);
  } catch (error) {
    if (error instanceof ServiceError) return error.issues.map(({ message }) => message);
    throw error;
  }
  throw new Error('the body was accepted');
}

describe('a date in `data`', () => {
  const checked = { ...bounds, dateFields: new Set(['child.dob']) };
  const onField = (condition: unknown, key = 'child.dob'): unknown => search({ data: { [key]: condition } });
  const PATH = 'query.clauses[0].data';
  const expected = 'must be a real date such as `2026-01-31`';

  it.each(['2025-02-29', '2025-02-31', '2025-04-31', '2025-2-1', '2025-00-10', '0000-01-01', '٢٠٢٥-٠٢-٣١ '])(
    'is refused as a bound of a range on any field, at any depth, if it does not exist: %s (S-10)',
    (date) => {
      const range = { type: 'range', gte: date, lte: date };
      expect(issuesOf(onField(range, 'field'), checked)).toEqual([
        `${PATH}.field.gte: ${expected}`,
        `${PATH}.field.lte: ${expected}`,
      ]);
      expect(issuesOf(onField({ in: { ...range, lte: '2026-01-31' } }, 'field'), checked)).toEqual([
        `${PATH}.field.in.gte: ${expected}`,
      ]);
    },
  );

  it('is refused as a term on a field that is known as a date', () => {
    expect(issuesOf(onField({ type: 'exact', term: '2025-02-31' }), checked)).toEqual([
      `${PATH}["child.dob"].term: ${expected}`,
    ]);
    expect(issuesOf(onField({ type: 'anyOf', terms: ['2025-02-28', '2025-2-1'] }), checked)).toEqual([
      `${PATH}["child.dob"].terms[1]: ${expected}`,
    ]);
  });

  it('is text where it has another form, where no date is known, and in a filter that was taken before', () => {
    const range = { type: 'range', gte: '35202-1234567-1', lte: '2025-02-28T00:00:00Z' };
    for (const condition of [range, { type: 'exact', term: 'unknown' }, { type: 'fuzzy', term: '2025-02-31' }])
      parseSearchRequest(onField(condition), checked);
    parseSearchRequest(onField({ type: 'exact', term: '2025-02-31' }, 'child.note'), checked);
    parseSearchRequest(onField({ in: { type: 'exact', term: '2025-02-31' } }), checked);
    parseSearchRequest(onField({ type: 'range', gte: '2025-02-31', lte: '2025-2-1' }), bounds);
  });
});

it('has no range on any field (Q-1)', () => {
  expect(issuesOf(search({ data: { type: 'range', gte: '1', lte: '2' } }), bounds)).toEqual([
    'query.clauses[0].data: must name the field of a range: `{"<field id>": {"type": "range", …}}`',
  ]);
});
