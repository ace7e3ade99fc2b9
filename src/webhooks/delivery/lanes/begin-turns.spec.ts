import type { Pace } from '../../../platform/outbox/pace.js';
import { BeginTurns } from './begin-turns.js';

describe('turns at beginning', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  const begun: string[] = [];
  const letGo = new Map<string, () => void>();
  let turns: BeginTurns;
  const take = (pace: Pace, ...names: readonly string[]): Promise<void> => takeFor('a client', pace, ...names);
  const takeFor = async (client: string, pace: Pace, ...names: readonly string[]): Promise<void> => {
    for (const name of names) {
      void turns.take(pace, client).then((go) => {
        begun.push(name);
        letGo.set(name, go);
      });
    }
    await jest.advanceTimersByTimeAsync(0);
  };
  const eight = ['1', '2', '3', '4', '5', '6', '7', '8'];

  beforeEach(async () => {
    jest.useFakeTimers();
    begun.length = 0;
    letGo.clear();
    turns = new BeginTurns();
    await take('slow', ...eight);
  });

  it('are had at once by who answers soon, and by a few others at a time', async () => {
    await take('slow', 'a slow one');
    await take('unknown', 'a new one');
    await take('quick', 'a quick one');
    expect(begun).toEqual([...eight, 'a quick one']);
    letGo.get('3')?.();
    letGo.get('3')?.();
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toEqual([...eight, 'a quick one', 'a new one']);
    letGo.get('1')?.();
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toEqual([...eight, 'a quick one', 'a new one', 'a slow one']);
  });

  it('go from client to client among equally slow ones', async () => {
    await take('slow', '9', '10', '11');
    await takeFor('another', 'slow', 'of another', 'its second');
    await takeFor('a third', 'slow', 'of a third');
    for (const name of eight) letGo.get(name)?.();
    await jest.advanceTimersByTimeAsync(0);
    expect(begun.slice(8)).toEqual(['9', 'of another', 'of a third', '10', 'its second', '11']);
  });

  it('pass on from those that get no connection', async () => {
    await take('slow', 'another');
    await jest.advanceTimersByTimeAsync(150);
    expect(begun).toEqual(eight);
    await jest.advanceTimersByTimeAsync(50);
    expect(begun).toEqual([...eight, 'another']);
  });

  it('rest three times as long as a slow one took for its connection, and as long as an unknown one did', async () => {
    await take('unknown', 'a new one', 'another');
    await jest.advanceTimersByTimeAsync(20);
    letGo.get('1')?.();
    await jest.advanceTimersByTimeAsync(50);
    expect(begun).toEqual(eight);
    await jest.advanceTimersByTimeAsync(10);
    expect(begun).toEqual([...eight, 'a new one']);
    await jest.advanceTimersByTimeAsync(10);
    letGo.get('a new one')?.();
    await jest.advanceTimersByTimeAsync(10);
    expect(begun).toEqual([...eight, 'a new one', 'another']);
  });
});
