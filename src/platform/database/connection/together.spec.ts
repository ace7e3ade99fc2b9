import { together } from './queryable.js';

const failed = (code: string): Error => Object.assign(new Error(code), { code });

describe('together', () => {
  it('yields what each statement yields, in their order', async () => {
    expect(await together(Promise.resolve(1), 'two', Promise.resolve([3]))).toEqual([1, 'two', [3]]);
  });

  it('throws why the transaction failed, whichever statement tells it first', async () => {
    const [cause, consequence] = [failed('23505'), failed('25P02')];
    await expect(together(Promise.reject(consequence), Promise.reject(cause))).rejects.toBe(cause);
    await expect(together(Promise.reject(cause), Promise.reject(consequence))).rejects.toBe(cause);
    await expect(together(Promise.resolve(), Promise.reject(consequence))).rejects.toBe(consequence);
  });

  it('waits for every statement before it throws, so that the connection can be used again', async () => {
    const ended: string[] = [];
    const later = new Promise<void>((resolve) => {
      setImmediate(() => {
        ended.push('the other');
        resolve();
      });
    });
    await together(Promise.reject(failed('57014')), later).catch(() => ended.push('thrown'));
    expect(ended).toEqual(['the other', 'thrown']);
  });
});
