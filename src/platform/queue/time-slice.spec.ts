import type { Steps } from './time-slice.js';
import { stepwise } from './time-slice.js';

/** On a clock by which every step has lasted a whole slice, in which round of the event loop each step was made. */
async function roundsOf(works: number, steps: number): Promise<readonly number[]> {
  let nowMs = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (nowMs += 1_000));
  let round = 0;
  let next = setImmediate(function count() {
    round += 1;
    next = setImmediate(count);
  });
  const rounds: number[] = [];
  function* work(): Steps<void> {
    for (let step = 0; step < steps; step++) {
      yield;
      rounds.push(round);
    }
  }
  try {
    await Promise.all(Array.from({ length: works }, () => stepwise(work())));
    return rounds;
  } finally {
    clearImmediate(next);
    clock.mockRestore();
  }
}

describe('work in steps', () => {
  it('has one turn in a round of the event loop, of however many that are under way', async () => {
    const rounds = await roundsOf(8, 5);
    expect(rounds).toHaveLength(40);
    expect(new Set(rounds).size).toBe(40);
  });
});
