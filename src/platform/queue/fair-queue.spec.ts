import fc from 'fast-check';

import { FairQueue, QueueFull } from './fair-queue.js';

const { signal } = new AbortController();

/** Work that lasts until it is told to end, and records when it begins. */
class Desk {
  readonly begun: string[] = [];
  private readonly ends: (() => void)[] = [];

  constructor(readonly queue: FairQueue) {}

  ask(client: string, name: string, until = signal, weight = 1): Promise<string> {
    const work = (): Promise<string> => {
      this.begun.push(name);
      return new Promise((resolve) => {
        this.ends.push(() => {
          resolve(name);
        });
      });
    };
    return this.queue.run(client, until, work, weight);
  }

  /** Ends the oldest work, and lets the consequences happen. */
  async endOne(): Promise<void> {
    this.ends.shift()?.();
    await settled();
  }

  async endAll(count: number): Promise<void> {
    for (let left = count; left > 0; left -= 1) await this.endOne();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a fair queue', () => {
  it('does so much at a time', async () => {
    const desk = new Desk(new FairQueue({ atOnce: 2, mostWaiting: 10 }));
    const asked = ['a', 'b', 'c'].map((name) => desk.ask(`client ${name}`, name));
    await settled();
    expect([desk.begun, desk.queue.waiting]).toEqual([['a', 'b'], 1]);
    await desk.endOne();
    expect([desk.begun, desk.queue.waiting]).toEqual([['a', 'b', 'c'], 0]);
    await desk.endOne();
    await desk.endOne();
    expect(await Promise.all(asked)).toEqual(['a', 'b', 'c']);
  });

  it('takes one client after the other, and the work of each in its order', async () => {
    const desk = new Desk(new FairQueue({ atOnce: 1, mostWaiting: 10 }));
    const asked = ['x0', 'x1', 'x2', 'x3', 'y1', 'y2', 'z1'].map((name) => desk.ask(name.slice(0, 1), name));
    await desk.endAll(asked.length);
    expect(desk.begun).toEqual(['x0', 'x1', 'y1', 'z1', 'x2', 'y2', 'x3']);
  });

  it('keeps the last place from every one client, and gives it to another at once', async () => {
    const desk = new Desk(new FairQueue({ atOnce: 3, mostWaiting: 10 }));
    const asked = ['x0', 'x1', 'x2', 'y0', 'y1', 'z0'].map((name) => desk.ask(name.slice(0, 1), name));
    await settled();
    expect([desk.begun, desk.queue.waiting]).toEqual([['x0', 'x1', 'y0'], 3]);
    // One of x and one of y are still running, none of z.
    await desk.endOne();
    expect(desk.begun).toEqual(['x0', 'x1', 'y0', 'z0']);
    await desk.endAll(asked.length);
    expect(desk.begun).toHaveLength(6);
  });

  it('leaves a place free rather than give one client all of them', async () => {
    const desk = new Desk(new FairQueue({ atOnce: 2, mostWaiting: 10 }));
    void desk.ask('x', 'x0');
    void desk.ask('y', 'y0');
    void desk.ask('x', 'x1');
    void desk.ask('x', 'x2');
    await desk.endOne();
    expect(desk.begun).toEqual(['x0', 'y0', 'x1']);
    await desk.endOne();
    expect([desk.begun, desk.queue.waiting]).toEqual([['x0', 'y0', 'x1'], 1]);
    void desk.ask('z', 'z0');
    await settled();
    expect(desk.begun).toEqual(['x0', 'y0', 'x1', 'z0']);
  });

  it('takes heavy work when enough others have ended, before lighter work that came later', async () => {
    const desk = new Desk(new FairQueue({ atOnce: 10, ofOne: 8, mostWaiting: 10 }));
    const asked = [
      desk.ask('x', 'x4', signal, 4),
      desk.ask('y', 'y4', signal, 4),
      // More than one client may have counts as that much.
      desk.ask('z', 'z99', signal, 99),
      desk.ask('u', 'u2', signal, 2),
    ];
    await settled();
    expect(desk.begun).toEqual(['x4', 'y4']);
    await desk.endOne();
    expect(desk.begun).toEqual(['x4', 'y4']);
    await desk.endOne();
    expect(desk.begun).toEqual(['x4', 'y4', 'z99', 'u2']);
    await desk.endAll(2);
    expect(await Promise.all(asked)).toEqual(['x4', 'y4', 'z99', 'u2']);
  });

  it('begins what waited behind heavy work that is no longer waited for', async () => {
    const desk = new Desk(new FairQueue({ atOnce: 10, ofOne: 8, mostWaiting: 10 }));
    const controller = new AbortController();
    void desk.ask('x', 'x4', signal, 4);
    const given = desk.ask('y', 'y8', controller.signal, 8);
    void desk.ask('z', 'z2', signal, 2);
    controller.abort(new Error('gone'));
    await expect(given).rejects.toThrow('gone');
    await settled();
    expect(desk.begun).toEqual(['x4', 'z2']);
  });

  it('hands a place on when work fails', async () => {
    const queue = new FairQueue({ atOnce: 1, mostWaiting: 1 });
    const failing = queue.run('x', signal, () => Promise.reject(new Error('no')));
    const next = queue.run('x', signal, () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('no');
    await expect(next).resolves.toBe('done');
  });

  it('refuses what it has no room for', async () => {
    const desk = new Desk(new FairQueue({ atOnce: 1, mostWaiting: 1 }));
    void desk.ask('x', 'x0');
    void desk.ask('x', 'x1');
    await expect(desk.ask('x', 'x2')).rejects.toThrow(QueueFull);
    expect(desk.queue.waiting).toBe(1);
  });

  it('makes the longest line give way to another client', async () => {
    const desk = new Desk(new FairQueue({ atOnce: 1, mostWaiting: 2 }));
    void desk.ask('x', 'x0');
    void desk.ask('x', 'x1');
    const last = desk.ask('x', 'x2').catch((error: unknown) => error);
    void desk.ask('y', 'y1');
    expect(await last).toBeInstanceOf(QueueFull);
    await desk.endOne();
    await desk.endOne();
    expect(desk.begun).toEqual(['x0', 'x1', 'y1']);
  });

  it('forgets what is no longer waited for', async () => {
    const desk = new Desk(new FairQueue({ atOnce: 1, mostWaiting: 5 }));
    const controller = new AbortController();
    void desk.ask('x', 'x0');
    const given = desk.ask('x', 'x1', controller.signal);
    void desk.ask('x', 'x2');
    controller.abort(new Error('gone'));
    await expect(given).rejects.toThrow('gone');
    await desk.endOne();
    expect(desk.begun).toEqual(['x0', 'x2']);
    await expect(desk.ask('x', 'x3', controller.signal)).rejects.toThrow('gone');
  });

  it('loses neither work nor a place, whatever happens', async () => {
    const event = fc.oneof(
      fc.record({
        kind: fc.constant('ask'),
        client: fc.constantFrom('x', 'y', 'z'),
        weight: fc.integer({ min: 1, max: 4 }),
      }),
      fc.record({ kind: fc.constant('abort'), at: fc.nat(20) }),
      fc.constant({ kind: 'end' } as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event), fc.integer({ min: 1, max: 3 }), async (events, atOnce) => {
        const desk = new Desk(new FairQueue({ atOnce, mostWaiting: 3 }));
        const controllers: AbortController[] = [];
        const outcomes: Promise<string>[] = [];
        for (const one of events) {
          if (one.kind === 'end') await desk.endOne();
          else if ('at' in one) controllers[one.at]?.abort(new Error('gone'));
          else {
            const controller = new AbortController();
            controllers.push(controller);
            const name = String(controllers.length);
            outcomes.push(desk.ask(one.client, name, controller.signal, one.weight).catch(() => 'refused'));
          }
          await settled();
          expect(desk.queue.waiting).toBeLessThanOrEqual(3);
        }
        await desk.endAll(events.length);
        const done = (await Promise.all(outcomes)).filter((outcome) => outcome !== 'refused');
        expect(done.toSorted()).toEqual(desk.begun.toSorted());
        // Every place is free again.
        const last = Array.from({ length: atOnce }, (_, at) => desk.ask(`client ${at}`, 'last'));
        await settled();
        expect(desk.queue.waiting).toBe(0);
        await desk.endAll(last.length);
      }),
    );
  });
});
