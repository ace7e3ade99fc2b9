import { getEventListeners } from 'node:events';

import { unlessAborted } from './queryable.js';

const aborting = (): AbortController => new AbortController();

describe('a wait that others share', () => {
  it('comes to what was waited for', async () => {
    await expect(unlessAborted(Promise.resolve('read'), aborting().signal)).resolves.toBe('read');
    await expect(unlessAborted(Promise.reject(new Error('no')), aborting().signal)).rejects.toThrow('no');
    await expect(unlessAborted(Promise.resolve('read'), undefined)).resolves.toBe('read');
  });

  it('ends for whoever gives up, and goes on for the others', async () => {
    const gone = aborting();
    let read: (what: string) => void = () => undefined;
    const shared = new Promise<string>((resolve) => {
      read = resolve;
    });
    const given = unlessAborted(shared, gone.signal);
    const kept = unlessAborted(shared, aborting().signal);
    gone.abort(new Error('gone'));
    await expect(given).rejects.toThrow('gone');
    await expect(unlessAborted(shared, gone.signal)).rejects.toThrow('gone');
    read('read');
    await expect(kept).resolves.toBe('read');
  });

  it('leaves nothing behind at a signal that lasts', async () => {
    const { signal } = aborting();
    await unlessAborted(Promise.resolve('read'), signal);
    await expect(unlessAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
