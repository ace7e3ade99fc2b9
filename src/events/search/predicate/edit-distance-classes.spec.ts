import { TERMS } from '../../../../test/support/terms.js';
import type { NearWord } from '../../index/terms/near-words.js';
import { fieldOf } from '../../index/values/data-path.js';
import { KnownShapes } from '../../index/terms/vocabulary.js';
import { parseSearchRequest } from '../request/parse-search-request.js';
import { leavesOf } from './predicate.js';
import { TermRoom } from './search-context.js';
import { editDistanceClassesOf } from './edits.js';

describe('the classes of a search for as many words as it may have', () => {
  const FIELDS = Array.from({ length: 166 }, (_, at) => `f${at}`);

  it('have each condition once', () => {
    const shapes = new KnownShapes(FIELDS.map((id) => ({ path: fieldOf(id), isField: true, aspects: ['sole'] })));
    const near = (word: string): readonly NearWord[] => [{ word, edits: 0 }];
    const dictionary = {
      at: (_: string, word: string) => near(word),
      inEachField: () => ({ words: [], byField: undefined }),
      fieldsOf: () => undefined,
    };
    const data = Object.fromEntries(FIELDS.map((id) => [id, { type: 'fuzzy', term: 'ab' }]));
    const { query } = parseSearchRequest({ query: { clauses: [{ data }] } }, { maxLimit: 10 });
    const context = {
      now: new Date(0),
      timezone: 'UTC',
      below: () => [],
      dictionary,
      shapes,
      terms: TERMS,
      room: new TermRoom(),
    };
    const [only] = editDistanceClassesOf(query, context) ?? [];
    expect([only?.edits, only && leavesOf(only.matches).length]).toEqual([0, FIELDS.length]);
  });
});

describe('the classes of an AND of ORs, whose conditions are each in many of them', () => {
  /** Each field has the word itself, and one that is an edit away. */
  const dictionary = {
    at: (_: string, word: string): readonly NearWord[] => [
      { word, edits: 0 },
      { word: `${word}s`, edits: 1 },
    ],
    inEachField: () => ({ words: [], byField: undefined }),
    fieldsOf: () => undefined,
  };

  const fieldsOf = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `f${at}`);

  const classesOfQuery = (asked: object, fields: readonly string[]): number | undefined => {
    const shapes = new KnownShapes(fields.map((id) => ({ path: fieldOf(id), isField: true, aspects: ['nameWord'] })));
    const { query } = parseSearchRequest({ query: asked }, { maxLimit: 10 });
    const context = {
      now: new Date(0),
      timezone: 'UTC',
      below: () => [],
      dictionary,
      shapes,
      terms: TERMS,
      room: new TermRoom(),
    };
    return editDistanceClassesOf(query, context)?.length;
  };

  /** The number of classes of an AND of so many ORs of so many conditions of one word or more. */
  const classesOf = (ors: number, each: number, term = 'banda'): number | undefined => {
    const fields = fieldsOf(ors * each);
    const clauses = Array.from({ length: ors }, (_, or) => ({
      type: 'or',
      clauses: fields.slice(or * each, (or + 1) * each).map((id) => ({ data: { [id]: { type: 'fuzzy', term } } })),
    }));
    return classesOfQuery({ type: 'and', clauses }, fields);
  };

  it('are found where there are few, and in an OR of 480 conditions on one word', () => {
    expect(classesOf(2, 10)).toBe(3);
    expect(classesOf(4, 5)).toBe(5);
    expect(classesOf(1, 480)).toBe(2);
  });

  it('are given up where many conditions stand beside a few that have several, wherever these stand', () => {
    const fields = fieldsOf(604);
    const exact = fields.slice(4).map((id) => [id, { type: 'exact', term: 'x' }] as const);
    const rough = fields.slice(0, 4).map((id) => [id, { type: 'fuzzy', term: 'banda' }] as const);
    for (const members of [
      [...rough, ...exact],
      [...exact, ...rough],
    ]) {
      const data = Object.fromEntries<object>(members);
      const asked = { clauses: [{ data }] };
      expect(classesOfQuery(asked, fields)).toBeUndefined();
    }
  });

  it('are given up where conditions multiply: their statement would take long to make (Q-1)', () => {
    expect(classesOf(4, 120)).toBeUndefined();
    expect(classesOf(2, 240)).toBeUndefined();
  });

  it('are given up in one OR of conditions of several words, too', () => {
    expect(classesOf(1, 480, 'banda lunga')).toBeUndefined();
  });
});
