import { TERMS } from '../../../../test/support/terms.js';
import type { NearWord } from '../../index/terms/near-words.js';
import { fieldOf } from '../../index/values/data-path.js';
import { KnownShapes } from '../../index/terms/vocabulary.js';
import { parseSearchRequest } from '../request/parse-search-request.js';
import { leavesOf } from './predicate.js';
import { prepared } from './prepared.js';
import { editDistanceClassesOf } from './edits.js';

describe('the classes of a search for as many words as it may have', () => {
  const FIELDS = Array.from({ length: 2_000 }, (_, at) => `f${at}`);

  it('are found at once (Q-1)', async () => {
    const shapes = new KnownShapes(FIELDS.map((id) => ({ path: fieldOf(id), isField: true, aspects: ['sole'] })));
    const near = (word: string): readonly NearWord[] => [{ word, edits: 0 }];
    const dictionary = {
      at: (_: string, word: string) => near(word),
      inEachField: () => ({ words: [], byField: undefined }),
      fieldsOf: () => undefined,
    };
    const data = Object.fromEntries(FIELDS.map((id) => [id, { type: 'fuzzy', term: 'ab' }]));
    const { query } = parseSearchRequest({ query: { clauses: [{ data }] } }, { maxLimit: 10 });
    const context = { now: new Date(0), timezone: 'UTC', below: () => [], dictionary, shapes, terms: TERMS };
    const ready = await prepared(query, context);
    const took: number[] = [];
    for (let run = 0; run < 5; run += 1) {
      const began = process.cpuUsage();
      const [only] = editDistanceClassesOf(query, ready) ?? [];
      const { user, system } = process.cpuUsage(began);
      took.push((user + system) / 1_000);
      expect([only?.edits, only && leavesOf(only.matches).length]).toEqual([0, FIELDS.length]);
    }
    // Of the processor, by the run that other work has disturbed least; the square of their number takes 275.
    expect(Math.min(...took)).toBeLessThan(50);
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

  const classesOfQuery = async (asked: object, fields: readonly string[]): Promise<number | undefined> => {
    const shapes = new KnownShapes(fields.map((id) => ({ path: fieldOf(id), isField: true, aspects: ['nameWord'] })));
    const { query } = parseSearchRequest({ query: asked }, { maxLimit: 10 });
    const context = { now: new Date(0), timezone: 'UTC', below: () => [], dictionary, shapes, terms: TERMS };
    return editDistanceClassesOf(query, await prepared(query, context))?.length;
  };

  /** The number of classes of an AND of so many ORs of so many conditions of one word or more. */
  const classesOf = (ors: number, each: number, term = 'banda'): Promise<number | undefined> => {
    const fields = fieldsOf(ors * each);
    const clauses = Array.from({ length: ors }, (_, or) => ({
      type: 'or',
      clauses: fields.slice(or * each, (or + 1) * each).map((id) => ({ data: { [id]: { type: 'fuzzy', term } } })),
    }));
    return classesOfQuery({ type: 'and', clauses }, fields);
  };

  it('are found where there are few, and in an OR of 480 conditions on one word', async () => {
    expect(await classesOf(2, 10)).toBe(3);
    expect(await classesOf(4, 5)).toBe(5);
    expect(await classesOf(1, 480)).toBe(2);
  });

  it('are given up where many conditions stand beside a few that have several, wherever these stand', async () => {
    const fields = fieldsOf(604);
    const exact = fields.slice(4).map((id) => [id, { type: 'exact', term: 'x' }] as const);
    const rough = fields.slice(0, 4).map((id) => [id, { type: 'fuzzy', term: 'banda' }] as const);
    for (const members of [
      [...rough, ...exact],
      [...exact, ...rough],
    ]) {
      const data = Object.fromEntries<object>(members);
      const asked = { clauses: [{ data }] };
      expect(await classesOfQuery(asked, fields)).toBeUndefined();
    }
  });

  it('are given up where conditions multiply: their statement would take long to make (Q-1)', async () => {
    expect(await classesOf(4, 120)).toBeUndefined();
    expect(await classesOf(2, 240)).toBeUndefined();
  });

  it('are given up in one OR of conditions of several words, too', async () => {
    expect(await classesOf(1, 480, 'banda lunga')).toBeUndefined();
  });
});
