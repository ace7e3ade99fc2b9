import { setTimeout as wait } from 'node:timers/promises';

import { Refresher } from './periodic.js';

describe('Refresher', () => {
  it('answers a call with a load that started after it, and never loads twice at a time', async () => {
    let stored = 0;
    let loaded = -1;
    let running = 0;
    let loads = 0;
    const refresher = new Refresher(async () => {
      loads += 1;
      running += 1;
      expect(running).toBe(1);
      const read = stored;
      await wait(5);
      loaded = read;
      running -= 1;
    });
    const changes = Array.from({ length: 20 }, async (_, at) => {
      await wait(at);
      stored = at + 1;
      await refresher.refresh();
      expect(loaded).toBeGreaterThan(at);
    });
    await Promise.all(changes);
    expect(loaded).toBe(20);
    expect(loads).toBeLessThan(20);
  });

  it('goes on after a load that failed', async () => {
    const failures = [new Error('no connection')];
    const refresher = new Refresher(async () => {
      await wait(1);
      const failure = failures.pop();
      if (failure !== undefined) throw failure;
    });
    const outcomes = await Promise.allSettled([refresher.refresh(), refresher.refresh(), refresher.refresh()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    await expect(refresher.refresh()).resolves.toBeUndefined();
  });
});
