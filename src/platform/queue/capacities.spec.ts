import { Capacities } from './capacities.js';

const never = (): Promise<never> => new Promise(() => undefined);

describe('capacities', () => {
  it('share a quarter of the connections between clients, and refuse the longest line beyond 200', async () => {
    const capacities = new Capacities({ DATABASE_POOL_SIZE: 8 });
    const begun: string[] = [];
    const ask = (client: string): Promise<never> =>
      capacities.run('administration', { client }, () => {
        begun.push(client);
        return never();
      });
    const asked = Array.from({ length: 202 }, () => ask('x'));
    // Those that are not refused here wait until their time is over.
    for (const one of [...asked, ask('y')]) one.catch(() => undefined);
    expect(begun).toEqual(['x', 'y']);
    await expect(asked.at(-1)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'Too many requests concerning administration are waiting; try again later',
      headers: { 'retry-after': '1' },
      refusal: 'administration-waiting',
    });
  });

  it('are counted apart, and by weight', async () => {
    const capacities = new Capacities({ DATABASE_POOL_SIZE: 8 });
    const gone = AbortSignal.abort(new Error('gone'));
    void capacities.run('records', { client: 'x', weight: Infinity }, never);
    const own = capacities.run('records', { client: 'x', weight: 1, hungUp: AbortSignal.timeout(10) }, never);
    await expect(own).rejects.toThrow('timeout');
    await expect(capacities.run('records', { client: 'y', hungUp: gone }, never)).rejects.toThrow('gone');
    const done = () => Promise.resolve('done');
    await expect(capacities.run('records', { client: 'y', weight: 1_000_000 }, done)).resolves.toBe('done');
    await expect(capacities.run('files', { client: 'x' }, done)).resolves.toBe('done');
  });
});
