import { HistoriesTooLong } from '../records/stored-events.js';
import { togetherOrAlone } from './import-records.js';

/** Remembers which events were written together, and says that they were. */
function writer(howMany: (events: readonly number[]) => number) {
  const written: (readonly number[])[] = [];
  const write = (events: readonly number[]): Promise<(readonly [number, string])[]> => {
    const first = events.slice(0, howMany(events));
    written.push(first);
    return Promise.resolve(first.map((event) => [event, `done ${event}`]));
  };
  return { written, write };
}

const allDone = (events: readonly number[]): ReadonlyMap<number, string> =>
  new Map(events.map((event) => [event, `done ${event}`]));

describe('events that are written together', () => {
  it('are written at once where they may be', async () => {
    const { written, write } = writer(({ length }) => length);
    expect(await togetherOrAlone([1, 2, 3], write)).toEqual(allDone([1, 2, 3]));
    expect(written).toEqual([[1, 2, 3]]);
  });

  it('are given on from the first that was left, at most twice as many as before', async () => {
    const asked: number[] = [];
    const { written, write } = writer(({ length }) => {
      asked.push(length);
      return 1;
    });
    expect(await togetherOrAlone([1, 2, 3, 4], write)).toEqual(allDone([1, 2, 3, 4]));
    expect([written, asked]).toEqual([
      [[1], [2], [3], [4]],
      [4, 2, 2, 1],
    ]);
  });

  it('are written one after the other where their histories are too long together', async () => {
    const { written, write } = writer(({ length }) => {
      if (length > 1) throw new HistoriesTooLong();
      return 1;
    });
    expect(await togetherOrAlone([1, 2], write)).toEqual(allDone([1, 2]));
    expect(written).toEqual([[1], [2]]);
  });

  it('fail where none of them was written, rather than be tried for ever', async () => {
    const { write } = writer(() => 0);
    await expect(togetherOrAlone([1], write)).rejects.toThrow('nothing has become of the first event');
  });

  it('fail with the failure of a write', async () => {
    const failing = togetherOrAlone([1], () => Promise.reject(new Error('no database')));
    await expect(failing).rejects.toThrow('no database');
  });
});
