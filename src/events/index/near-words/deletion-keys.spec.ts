import { codePointsOf } from './optimal-string-alignment.js';

/** The keys of a word in another process, or in this one if it were started again. */
async function keysElsewhere(word: string): Promise<readonly number[]> {
  let found: readonly number[] = [];
  await jest.isolateModulesAsync(async () => {
    const { deletionKeys, MOST_DELETION_KEYS } = await import('./deletion-keys.js');
    const keys = new Uint32Array(MOST_DELETION_KEYS);
    found = [...keys.slice(0, deletionKeys(codePointsOf(word), 2, keys))];
  });
  return found;
}

describe('the keys of a word', () => {
  it('are of each process alone, so that nobody can look for words of one key', async () => {
    const [one, other] = [await keysElsewhere('musonda'), await keysElsewhere('musonda')];
    expect([one.length, other.length]).toEqual([29, 29]);
    expect(one.filter((key) => other.includes(key))).toEqual([]);
  });
});
