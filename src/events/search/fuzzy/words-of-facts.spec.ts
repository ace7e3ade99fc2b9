import { factsOf } from '../facts.js';
import { DATA, memberOf } from '../terms.js';
import { wordsOfFacts } from './words-of-facts.js';

const at = (...keys: string[]) => keys.reduce(memberOf, DATA);

describe('the words of a declaration', () => {
  it('are those of names and texts, wherever they stand', () => {
    const facts = factsOf({
      'child.name': { firstname: 'Ama Ama', surname: 'Łódź' },
      notes: ['Born at home', ['at night']],
      weight: 3,
      alive: true,
      'child.dob': '2024-02-29',
      photo: { path: 'x/y', originalFilename: 'photo.png', type: 'image/png' },
    });
    expect(wordsOfFacts(facts)).toEqual([
      { path: at('child.name', 'firstname'), isField: false, words: new Set(['ama']) },
      { path: at('child.name', 'surname'), isField: false, words: new Set(['lodz']) },
      { path: at('child.name'), isField: true, words: new Set(['ama', 'lodz']) },
      { path: at('notes'), isField: true, words: new Set(['born', 'at', 'home', 'night']) },
      { path: at('child.dob'), isField: true, words: new Set(['2024', '02', '29']) },
      { path: at('photo', 'path'), isField: false, words: new Set(['x', 'y']) },
      { path: at('photo', 'originalFilename'), isField: false, words: new Set(['photo', 'png']) },
      { path: at('photo', 'type'), isField: false, words: new Set(['image', 'png']) },
    ]);
  });

  it('tell a field from a member whose path is spelt alike', () => {
    expect(wordsOfFacts(factsOf({ 'a/b': 'field', a: { b: 'member', c: 1 } }))).toEqual([
      { path: at('a/b'), isField: true, words: new Set(['field']) },
      { path: at('a', 'b'), isField: false, words: new Set(['member']) },
    ]);
  });

  it('leave out those that no index takes', () => {
    expect(wordsOfFacts(factsOf({ long: `${'x'.repeat(2_400)} ${'y'.repeat(2_401)}` }))).toEqual([
      { path: at('long'), isField: true, words: new Set(['x'.repeat(2_400)]) },
    ]);
  });
});
