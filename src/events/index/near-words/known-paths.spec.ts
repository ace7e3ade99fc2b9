import type { DataPath } from '../values/data-path.js';
import { BEYOND, fieldOf, insideOf } from '../values/data-path.js';
import { FuzzyDictionary } from './fuzzy-dictionary.js';
import { KnownPaths, MOST_PATHS } from './known-paths.js';

describe('the paths that are told apart', () => {
  it('are no more than a bound, however many are made up', () => {
    const paths = new KnownPaths();
    const ids = new Set(
      Array.from({ length: 2 * MOST_PATHS }, (_, at) =>
        paths.add(at + 1, { path: fieldOf(`made up ${at}`), isField: at % 2 === 0 }),
      ),
    );
    // One for fields beyond, and one for what is inside them.
    expect([paths.size, ids.size, paths.hasMore]).toEqual([MOST_PATHS, MOST_PATHS + 2, true]);
  });

  it('are fewer where they are long', () => {
    const paths = new KnownPaths();
    for (let at = 1; at <= 5; at += 1) paths.add(at, { path: fieldOf(String(at).repeat(900_000)), isField: true });
    expect([paths.size, paths.hasMore]).toEqual([4, true]);
    // However short: what is at it may have been read as one with what is at the long one.
    paths.add(6, { path: fieldOf('short'), isField: true });
    expect(paths.ids).toEqual([1, 2, 3, 4]);
  });

  it('stay what they were at first', () => {
    const paths = new KnownPaths(1);
    const [first, second] = [
      { path: fieldOf('first'), isField: true },
      { path: fieldOf('second'), isField: true },
    ];
    expect([paths.add(1, first), paths.idsOf(second.path)]).toEqual([1, []]);
    const beyond = paths.add(2, second);
    expect([paths.add(1, first), paths.add(2, second), paths.get(beyond)]).toEqual([
      1,
      beyond,
      { path: BEYOND, isField: true },
    ]);
    expect([paths.idsOf(first.path).includes(1), paths.idsOf(second.path).includes(beyond)]).toEqual([true, true]);
  });
});

describe('words at paths that are not told apart', () => {
  const dictionary = new FuzzyDictionary(1);
  const [named, other, third] = ['named', 'other', 'third'].map(fieldOf) as [DataPath, DataPath, DataPath];
  dictionary.add(dictionary.addPath(1, { path: named, isField: true }), 'musonda');
  dictionary.add(dictionary.addPath(2, { path: other, isField: true }), 'mulenga');
  dictionary.add(dictionary.addPath(3, { path: insideOf(other), isField: false }), 'chanda');
  const near = (path: DataPath, word: string) => dictionary.at(path, word).map((found) => found.word);

  it('are found at each of them, and at no other', () => {
    expect([near(named, 'musonda'), near(named, 'mulenga')]).toEqual([['musonda'], []]);
    expect([near(other, 'mulenga'), near(third, 'mulenga'), near(other, 'musonda')]).toEqual([
      ['mulenga'],
      ['mulenga'],
      [],
    ]);
    expect(near(insideOf(third), 'chanda')).toEqual(['chanda']);
  });

  it('are found in some field, of which it is not said which', () => {
    expect(dictionary.inEachField('musonda').byField?.get(named)).toEqual([{ word: 'musonda', edits: 0 }]);
    expect(dictionary.inEachField('mulenga')).toEqual({ words: [{ word: 'mulenga', edits: 0 }], byField: undefined });
    expect(dictionary.inEachField('chanda').words).toEqual([]);
  });
});
