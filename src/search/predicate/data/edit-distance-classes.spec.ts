import type { NearWord } from '../../../derived/near-words/fuzzy-dictionary.js';
import { fieldOf } from '../../../derived/values/data-path.js';
import { KnownShapes } from '../../../derived/words/shapes.js';
import { parseSearchRequest } from '../../request/parse-search-request.js';
import { leavesOf } from '../predicate.js';
import { prepared } from '../prepared.js';
import { editDistanceClassesOf } from './edit-distance-classes.js';

describe('the classes of a search for as many words as it may have', () => {
  const FIELDS = Array.from({ length: 2_000 }, (_, at) => `f${at}`);

  it('are found at once (Q-1)', async () => {
    const shapes = new KnownShapes();
    for (const id of FIELDS) shapes.add({ path: fieldOf(id), isField: true }, 'sole');
    const near = (word: string): readonly NearWord[] => [{ word, edits: 0 }];
    const dictionary = {
      at: (_: string, word: string) => near(word),
      inEachField: () => ({ words: [], byField: undefined }),
    };
    const data = Object.fromEntries(FIELDS.map((id) => [id, { type: 'fuzzy', term: 'ab' }]));
    const { query } = parseSearchRequest({ query: { clauses: [{ data }] } }, { maxLimit: 10 });
    const context = { now: new Date(0), timezone: 'UTC', below: () => [], dictionary, shapes };
    const ready = { ...(await prepared(query, context)), trustsTerms: true };
    const took: number[] = [];
    for (let run = 0; run < 5; run += 1) {
      const began = process.cpuUsage();
      const [only] = editDistanceClassesOf(query, ready) ?? [];
      const { user, system } = process.cpuUsage(began);
      took.push((user + system) / 1_000);
      expect([only?.edits, only && leavesOf(only.matches).length]).toEqual([0, FIELDS.length]);
    }
    // Of the processor, by the run that other work of the process has disturbed least.
    expect(Math.min(...took)).toBeLessThan(10);
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
  };

  /** The number of classes of an AND of so many ORs of so many conditions of one word or more. */
  const classesOf = async (ors: number, each: number, term = 'banda'): Promise<number | undefined> => {
    const fields = Array.from({ length: ors * each }, (_, at) => `f${at}`);
    const shapes = new KnownShapes();
    for (const id of fields) shapes.add({ path: fieldOf(id), isField: true }, 'nameWord');
    const clauses = Array.from({ length: ors }, (_, or) => ({
      type: 'or',
      clauses: fields.slice(or * each, (or + 1) * each).map((id) => ({ data: { [id]: { type: 'fuzzy', term } } })),
    }));
    const { query } = parseSearchRequest({ query: { type: 'and', clauses } }, { maxLimit: 10 });
    const context = { now: new Date(0), timezone: 'UTC', below: () => [], dictionary, shapes };
    return editDistanceClassesOf(query, { ...(await prepared(query, context)), trustsTerms: true })?.length;
  };

  it('are found where there are few', async () => {
    expect(await classesOf(2, 10)).toBe(3);
    expect(await classesOf(4, 5)).toBe(5);
  });

  it('are given up where conditions multiply: their statement would take long to make (Q-1)', async () => {
    expect(await classesOf(4, 120)).toBeUndefined();
    expect(await classesOf(2, 240)).toBeUndefined();
  });

  it('are given up in one OR of conditions of several words, too', async () => {
    expect(await classesOf(1, 480, 'banda lunga')).toBeUndefined();
  });
});
