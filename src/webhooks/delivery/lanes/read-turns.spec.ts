import { ReadTurns } from './read-turns.js';

describe('ReadTurns', () => {
  it('lets four read at a time, and quick ones before the others that wait', async () => {
    const turns = new ReadTurns();
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const read = (name: string) => () =>
      new Promise<void>((resolve) => {
        begun.push(name);
        ends.push(resolve);
      });
    const all = ['1', '2', '3', '4', '5', '6'].map((name) => turns.take('slow', read(name)));
    all.push(turns.take('quick', read('quick')));
    await Promise.resolve();
    expect(begun).toEqual(['1', '2', '3', '4']);
    for (let at = 0; at < all.length; at += 1) {
      ends.shift()?.();
      await new Promise(setImmediate);
    }
    await Promise.all(all);
    expect(begun).toEqual(['1', '2', '3', '4', 'quick', '5', '6']);
  });

  it('passes a turn on when a read fails', async () => {
    const turns = new ReadTurns();
    for (let at = 0; at < 10; at += 1) {
      await expect(turns.take('slow', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    }
    expect(await turns.take('slow', () => Promise.resolve('read'))).toBe('read');
  });
});
