import { fieldOf } from '../values/data-path.js';
import { KnownVocabulary } from './known-vocabulary.js';
import type { Vocabulary } from './vocabulary.js';

const at = (fieldId: string, isField: boolean, ...words: string[]) => ({
  path: fieldOf(fieldId),
  isField,
  words: new Set(words),
  aspects: new Set<never>(),
});
const ofPaths = (...paths: Vocabulary['paths']): Vocabulary => ({ paths });

describe('the vocabulary that is known', () => {
  it('is what was added, where it stands', () => {
    const known = new KnownVocabulary();
    known.add(ofPaths(at('name', true, 'ama', 'kofi'), at('other', true, 'banda')));
    const asked = [at('name', true, 'ama', 'banda', 'kofi'), at('name', false, 'ama'), at('third', true, 'ama')];
    expect(known.missing(ofPaths(...asked))).toEqual(ofPaths(at('name', true, 'banda'), ...asked.slice(1)));
    expect(known.missing(ofPaths(at('name', true, 'kofi')))).toEqual(ofPaths());
  });

  it('has shapes too', () => {
    const known = new KnownVocabulary();
    known.add(ofPaths({ ...at('name', true), aspects: new Set(['word']) }));
    expect(known.missing(ofPaths({ ...at('name', true), aspects: new Set(['word', 'several']) }))).toEqual(
      ofPaths({ ...at('name', true), aspects: new Set(['several']) }),
    );
  });

  it('is forgotten when there is too much of it', () => {
    const known = new KnownVocabulary();
    known.add(ofPaths(at('name', true, 'ama')));
    const spelled = (number: number) =>
      Array.from(String(number), (digit) => 'abcdefghij'.charAt(Number(digit))).join('');
    const words = new Set(Array.from({ length: 500_000 }, (_, number) => spelled(number)));
    known.add(ofPaths({ ...at('name', true), words }));
    expect(known.missing(ofPaths(at('name', true, 'ama')))).toEqual(ofPaths(at('name', true, 'ama')));
  });

  it('is forgotten when it has too many characters', () => {
    const known = new KnownVocabulary();
    known.add(ofPaths(at('name', true, 'ama')));
    known.add(ofPaths(at('x'.repeat(16_000_000), true), at('y'.repeat(16_000_000), true)));
    expect(known.missing(ofPaths(at('name', true, 'ama')))).toEqual(ofPaths(at('name', true, 'ama')));
  });
});
