import { TERMS } from '../../../../test/support/terms.js';
import type { NearWord } from '../../index/terms/near-words.js';
import { fieldOf, memberOf } from '../../index/values/data-path.js';
import { NO_SHAPES } from '../../index/terms/vocabulary.js';
import { sql } from '../../../kernel/sql/sql.js';
import { TermRoom } from './search-context.js';
import { compileFuzzy, compileFuzzyEdits } from './fuzzy.js';

describe('a condition that is compared with values', () => {
  const WORDS = 20;
  const near = (word: string): readonly NearWord[] =>
    Array.from({ length: 100 }, (_, at) => ({ word: `${word}${at}`, edits: at < 10 ? 1 : 2 }));
  const dictionary = {
    at: (_: string, word: string) => near(word),
    inEachField: () => ({ words: [], byField: undefined }),
    fieldsOf: () => undefined,
  };
  const field = fieldOf('child.address');
  const path = memberOf(field, 'administrativeArea');
  const term = Array.from({ length: WORDS }, (_, at) => `abcdef1234${10 + at}`).join(' ');

  const statementOf = (scope: Parameters<typeof compileFuzzy>[1]) => {
    const shapes = NO_SHAPES;
    const room = new TermRoom();
    const context = { now: new Date(0), timezone: 'UTC', below: () => [], dictionary, shapes, terms: TERMS, room };
    return sql`${compileFuzzy(term, scope, context)}, ${compileFuzzyEdits(term, scope, context)}`.toQuery();
  };

  it('has the words of a value once for its matches and once for their edits', () => {
    const { text } = statementOf({ kind: 'everyField' });
    expect(text.match(/regexp_split_to_array\(lower/gu)).toHaveLength(2);
  });

  it('has each list once', () => {
    const { params } = statementOf({ kind: 'inside', field, path });
    const lists = params.filter((param) => Array.isArray(param)) as (readonly unknown[])[];
    const ofWords = lists.filter(([first, second]) => second !== undefined && String(first).startsWith('abcdef'));
    expect(ofWords.map(({ length }) => length).toSorted((a, b) => b - a)).toEqual([
      ...Array.from({ length: WORDS }, () => 100),
      ...Array.from({ length: WORDS }, () => 10),
    ]);
  });
});
