/**
 * How often other work of the process had its turn until `work` ended, on a clock by which every piece of it has lasted
 * long enough: what is counted does not depend on the speed of the machine.
 */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let nowMs = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (nowMs += 1_000));
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  try {
    await work();
    return turns;
  } finally {
    clearImmediate(next);
    clock.mockRestore();
  }
}
