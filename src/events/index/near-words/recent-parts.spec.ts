import { movingAt } from './block-keeper.js';
import type { Part } from './recent-parts.js';
import { RecentParts } from './recent-parts.js';

class Words implements Part {
  size = 0;
  bytes = 0;

  add(_pathId: number, word: string): void {
    this.size += 1;
    this.bytes += word.length;
  }
}

const LONG = 'x'.repeat(2_000);

const added = (parts: RecentParts<Words>, count: number, word: string): void => {
  for (let at = 0; at < count; at++) parts.add(1, word);
};

describe('words that may not be in blocks yet', () => {
  it('are forgotten but for the last of them, although more are written while the first are moved', () => {
    const parts = new RecentParts(() => new Words());
    added(parts, 1_300_000, 'name');
    parts.keep({ nextId: 100n, inBlocksBefore: 0n });
    added(parts, 1, 'name');
    parts.keep({ nextId: 120n, inBlocksBefore: 110n });
    expect(parts.size).toBe(100_001);
  });

  it('are forgotten although more are written all the time, where they are long', () => {
    const parts = new RecentParts(() => new Words());
    for (let turn = 1n; turn <= 20n; turn++) {
      added(parts, 10_000, LONG);
      parts.keep({ nextId: 10n * turn, inBlocksBefore: 10n * turn - 5n });
    }
    expect(parts.size).toBe(10_000);
  });
});

describe('what is moved', () => {
  const batch = { words: 200_000, lists: 800 };
  const everything = { words: 1, lists: 1 };
  it.each([
    ['batches', { bytes: 200e6, bytesOfNames: 100e6 }, { beginNames: false, batch }],
    [
      'everything where names take too much memory',
      { bytes: 160e6, bytesOfNames: 151e6 },
      { beginNames: true, batch: everything },
    ],
    [
      'everything where others take too much memory',
      { bytes: 200e6, bytesOfNames: 0 },
      { beginNames: false, batch: everything },
    ],
  ])('is %s', (_, size, moving) => {
    expect(movingAt(size)).toEqual(moving);
  });
});
