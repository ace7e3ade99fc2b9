import { turnsDuring } from '../../../test/support/turns-during.js';
import { beginInTurn } from './trpc-calls.js';

const calls = Array.from({ length: 20 }, (_, at) => at);

describe('calls of one request', () => {
  it('are answered in their order, and go on side by side', async () => {
    const open: (() => void)[] = [];
    const outcomes = beginInTurn(calls, async (call) => {
      await new Promise<void>((resolve) => {
        open.push(resolve);
        if (open.length === calls.length) for (const each of open.toReversed()) each();
      });
      return call;
    });
    expect(await outcomes).toEqual(calls);
  });

  it('are begun with turns for others in between (Q-1)', async () => {
    expect(await turnsDuring(() => beginInTurn(calls, (call) => Promise.resolve(call)))).toBeGreaterThanOrEqual(19);
  });

  it('fail together where one does that must', async () => {
    const failing = beginInTurn(calls, (call) => (call === 0 ? Promise.reject(new Error('gone')) : Promise.resolve()));
    await expect(failing).rejects.toThrow('gone');
  });
});
