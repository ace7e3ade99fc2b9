import { BodyTurns, lineOf } from './body-turns.js';

const { signal } = new AbortController();
const LARGE = 100_000;
const afterTurns = (count: number): Promise<void> =>
  count === 0
    ? Promise.resolve()
    : new Promise((resolve) => setImmediate(() => void afterTurns(count - 1).then(resolve)));

/** Bodies that are read, in this order. */
class Reading {
  readonly read: string[] = [];

  constructor(readonly turns = new BodyTurns()) {}

  async ask(name: string, bytes = LARGE, until = signal): Promise<void> {
    await this.turns.take(name.slice(0, 1), bytes, until);
    this.read.push(name);
  }
}

describe('turns for bodies', () => {
  it('let small ones pass at once', async () => {
    const reading = new Reading();
    const large = reading.ask('x1');
    await reading.ask('x2', 1_000);
    await large;
    expect(reading.read).toEqual(['x2', 'x1']);
  });

  it('are taken one at a time, with what else there is to do in between', async () => {
    const reading = new Reading();
    const asked = ['x1', 'x2', 'x3'].map((name) => reading.ask(name));
    await afterTurns(1);
    expect(reading.read).toEqual(['x1']);
    await Promise.all(asked);
    expect(reading.read).toEqual(['x1', 'x2', 'x3']);
  });

  it('are taken again before all others, each as one of its own', async () => {
    const reading = new Reading();
    const finished = reading.ask('x1').then(async () => {
      await reading.turns.again();
      reading.read.push('x1 again');
    });
    const asked = [finished, reading.ask('y1'), reading.ask('z1')];
    await afterTurns(1);
    expect(reading.read).toEqual(['x1']);
    await Promise.all(asked);
    expect(reading.read).toEqual(['x1', 'x1 again', 'y1', 'z1']);
  });

  it('are followed by as long a rest for everything else', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      const reading = new Reading();
      const first = reading.ask('x1').then(() => {
        jest.advanceTimersByTime(30);
      });
      const second = reading.ask('x2');
      await first;
      await afterTurns(20);
      jest.advanceTimersByTime(29);
      await afterTurns(20);
      expect(reading.read).toEqual(['x1']);
      jest.advanceTimersByTime(1);
      await second;
      expect(reading.read).toEqual(['x1', 'x2']);
    } finally {
      jest.useRealTimers();
    }
  });

  it('go to the client that had the fewest bytes', async () => {
    const reading = new Reading();
    const asked = [
      ...['x1', 'x2', 'x3'].map((name) => reading.ask(name, 3 * LARGE)),
      ...['y1', 'y2', 'y3', 'y4'].map((name) => reading.ask(name)),
    ];
    await Promise.all(asked);
    expect(reading.read).toEqual(['x1', 'y1', 'y2', 'y3', 'x2', 'y4', 'x3']);
  });

  it('are left at once by whoever hangs up', async () => {
    const reading = new Reading();
    const controller = new AbortController();
    const first = reading.ask('x1');
    const gone = reading.ask('x2', LARGE, controller.signal);
    const last = reading.ask('x3');
    controller.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    await expect(reading.ask('x4', LARGE, controller.signal)).rejects.toThrow('gone');
    await Promise.all([first, last]);
    expect(reading.read).toEqual(['x1', 'x3']);
  });

  it('are refused to whoever waits with most, when too much waits', async () => {
    const reading = new Reading(new BodyTurns(3 * LARGE));
    const asked = ['x1', 'x2', 'x3', 'y1'].map((name) => reading.ask(name));
    await expect(asked[2]).rejects.toMatchObject({ status: 503, refusal: 'bodies-waiting' });
    await Promise.all([asked[0], asked[1], asked[3]]);
    expect(reading.read).toEqual(['x1', 'y1', 'x2']);
  });
});

describe('the line of a body', () => {
  it('is that of the caller, or of the network of who has no token', () => {
    const addresses = ['192.0.2.7', '192.0.2.7:5012', '2001:db8:1:2::1', '2001:db8:1:2::2'];
    expect([lineOf('a client', '192.0.2.7'), ...addresses.map((address) => lineOf(undefined, address))]).toEqual([
      ...['a client', '192.0.2.7', '192.0.2.7', '2001:db8:1:2::/64', '2001:db8:1:2::/64'],
    ]);
  });
});
