import type { ResolveHost } from './resolve-host.js';
import { oneAtATime, rememberingResolver, systemResolver } from './resolve-host.js';

const KEPT_MS = 5_000;

/** A resolver that counts its calls, and answers with that number. */
function counting(): { readonly resolve: ResolveHost; readonly asked: () => number } {
  let asked = 0;
  return { resolve: () => Promise.resolve([`192.0.2.${++asked}`]), asked: () => asked };
}

describe('rememberingResolver', () => {
  it('asks once for all who want the same name within the time, and again after it', async () => {
    const { resolve } = counting();
    const now = jest.spyOn(performance, 'now').mockReturnValue(1);
    const remembering = rememberingResolver(resolve, KEPT_MS, 10);
    const first = await Promise.all([remembering('a.example'), remembering('a.example')]);
    now.mockReturnValue(KEPT_MS);
    const before = await remembering('a.example');
    now.mockReturnValue(KEPT_MS + 2);
    const after = await remembering('a.example');
    now.mockRestore();
    expect([...first, before, after]).toEqual([['192.0.2.1'], ['192.0.2.1'], ['192.0.2.1'], ['192.0.2.2']]);
  });

  it('keeps no failure', async () => {
    const answers = [Promise.reject(new Error('no answer')), Promise.resolve(['192.0.2.1'])];
    const remembering = rememberingResolver(() => answers.shift() ?? Promise.resolve([]), KEPT_MS, 10);
    await expect(remembering('a.example')).rejects.toThrow('no answer');
    expect(await remembering('a.example')).toEqual(['192.0.2.1']);
  });

  it('forgets the oldest name when it knows too many', async () => {
    const { resolve, asked } = counting();
    const remembering = rememberingResolver(resolve, KEPT_MS, 2);
    for (const name of ['a.example', 'b.example', 'c.example', 'c.example', 'b.example', 'a.example']) {
      await remembering(name);
    }
    expect(asked()).toBe(4);
  });
});

describe('systemResolver', () => {
  it('rejects a name that does not exist', async () => {
    await expect(systemResolver(300)('does-not-exist.invalid')).rejects.toThrow();
  });
});

describe('oneAtATime', () => {
  it('asks for one name after another, and gives up on one that waits too long', async () => {
    const asked: string[] = [];
    const answers: (() => void)[] = [];
    const resolve = oneAtATime(
      (hostname) =>
        new Promise((answer) => {
          asked.push(hostname);
          answers.push(() => {
            answer(['192.0.2.1']);
          });
        }),
      50,
    );
    const first = resolve('a.example');
    await expect(resolve('b.example')).rejects.toThrow();
    const third = resolve('c.example');
    answers[0]?.();
    await first;
    await Promise.resolve();
    answers[1]?.();
    expect([await third, asked]).toEqual([['192.0.2.1'], ['a.example', 'c.example']]);
  });
});
