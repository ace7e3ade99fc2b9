import { TERMS as UNDER_TEST_KEY } from '../../../../test/support/terms.js';
import { FuzzyDictionary, NO_WORDS } from '../../index/near-words/fuzzy-dictionary.js';
import { RememberedWords } from '../../index/near-words/dictionary-follower.js';
import { fieldOf } from '../../index/values/data-path.js';
import { KnownShapes } from '../../index/terms/shapes.js';
import { parseSearchRequest } from '../request/parse-search-request.js';
import { countTerms } from './candidate-terms.js';
import { compileSearch } from './compile-search.js';
import { leavesOf } from './predicate.js';
import { prepared } from './prepared.js';
import type { SearchContext } from './search-context.js';

/** So many terms on any field are looked up in each of a hundred fields, and by their words where there are more. */
const TERMS = Array.from({ length: 40 }, (_, at) => `term${at}`);

describe('a search on any field, in whose course records bring one more field than are looked up one by one', () => {
  const clauses = [{ data: { type: 'anyOf', terms: TERMS } }];
  const fields = (count: number): KnownShapes => {
    const shapes = new KnownShapes();
    for (let field = 0; field < count; field += 1) addField(shapes, field);
    return shapes;
  };
  const addField = (shapes: KnownShapes, field: number): void => {
    shapes.add({ path: fieldOf(`field ${field}`), isField: true }, 'sole');
  };

  /** How many terms are looked up for each of its conditions; or that any record may match. */
  const termsOf = async (
    asked: readonly object[],
    known: Pick<SearchContext, 'dictionary' | 'shapes'>,
  ): Promise<readonly (number | 'any record')[]> => {
    const request = parseSearchRequest({ query: { type: 'or', clauses: asked } }, { maxLimit: 100 });
    const context = { now: new Date(0), timezone: 'UTC', below: () => [], terms: UNDER_TEST_KEY, ...known };
    const { matches } = compileSearch(request, 'everything', await prepared(request.query, context));
    return leavesOf(matches).map(({ candidateTerms }) =>
      candidateTerms.kind === 'none' ? 'any record' : countTerms(candidateTerms),
    );
  };

  it('goes on with the words that it has looked up', async () => {
    const shapes = fields(100);
    const dictionary = new RememberedWords(() => {
      addField(shapes, 100);
      const words = new FuzzyDictionary();
      return Promise.resolve({ dictionary: words, among: () => ({ names: words.names, found: [] }) });
    });
    const fuzzy = { data: { 'field 1': { type: 'fuzzy', term: 'Banda' } } };
    expect(await termsOf([...clauses, fuzzy], { dictionary, shapes })).toEqual([TERMS.length * 101, 0]);
  });

  it('compares records where it has looked no words up', async () => {
    expect(await termsOf(clauses, { dictionary: NO_WORDS, shapes: fields(100) })).toEqual([TERMS.length * 100]);
    expect(await termsOf(clauses, { dictionary: NO_WORDS, shapes: fields(101) })).toEqual(['any record']);
  });
});
