import { EventEmitter } from 'node:events';

import { Metrics } from '../../platform/metrics/metrics.js';
import { Capacities } from '../../platform/queue/capacities.js';
import { Refusals } from '../../platform/queue/refusals.js';
import { AnswersInFlight } from './answers-in-flight.js';

const THIRD = 90_000_000;
/** The connection of an answer: it closes when the client has received all of it, or is cut off. */
class Sent extends EventEmitter {
  isCutOff = false;
  readonly destroyed = false;

  override once(event: 'close', listener: () => void): this {
    return super.once(event, listener);
  }

  destroy(): void {
    this.isCutOff = true;
    this.emit('close');
  }
}

let metrics: Metrics;
let answers: AnswersInFlight;
beforeEach(() => {
  metrics = new Metrics();
  answers = new AnswersInFlight(new Refusals(metrics), new Capacities({ DATABASE_POOL_SIZE: 4 }));
});
afterEach(() => jest.useRealTimers());

const hold = (client: string, bytes: number): Sent => {
  const sent = new Sent();
  answers.hold(client, bytes, sent);
  return sent;
};
const released = (): Promise<void> => new Promise(setImmediate);
const FULL = 'Too many answers wait for their clients to take them';

describe('answers in flight', () => {
  it('are refused when those that nobody has taken yet leave no room', async () => {
    const first = hold('a', THIRD);
    hold('b', THIRD);
    expect(() => hold('c', THIRD)).toThrow(FULL);
    hold('c', 100);
    first.emit('close');
    await released();
    hold('d', THIRD);
  });

  it('of one client have no more than half of the room', () => {
    hold('a', THIRD);
    expect(() => hold('a', THIRD)).toThrow(FULL);
    hold('b', THIRD);
  });

  it('are never refused where there is no other', async () => {
    hold('a', 3 * THIRD).emit('close');
    await released();
    hold('a', 3 * THIRD);
  });

  it('are cut off when their client takes less than 16 kB/s', async () => {
    jest.useFakeTimers();
    const slow = hold('slow', 1_600_000);
    const taken = hold('slow', 1_600_000);
    jest.advanceTimersByTime(159_000);
    taken.emit('close');
    expect(slow.isCutOff).toBe(false);
    jest.advanceTimersByTime(2_000);
    expect([slow.isCutOff, taken.isCutOff]).toEqual([true, false]);
    expect(await metrics.registry.metrics()).toContain('matricula_refusals_total{refusal="slow-reader"} 1');
  });

  it('have as long as all of them need where they are pieces of one, which are sent one after the other', () => {
    jest.useFakeTimers();
    const pieces = hold('a', 1_600_000);
    answers.hold('a', 1_600_000, pieces);
    expect(pieces.listenerCount('close')).toBe(1);
    jest.advanceTimersByTime(259_000);
    expect(pieces.isCutOff).toBe(false);
    jest.advanceTimersByTime(2_000);
    expect(pieces.isCutOff).toBe(true);
  });
});
