import { Turns } from './turns.js';

/** In which round of the event loop each of three pieces of work had its turn. */
async function roundsOfThree(turns: Turns): Promise<readonly number[]> {
  const [rounds, last]: [number[], number] = [[], 2];
  let round = 0;
  const count = (): void => {
    round += 1;
    if (rounds.length <= last) setImmediate(count);
  };
  count();
  await new Promise<void>((resolve) => {
    for (let at = 0; at <= last; at += 1) {
      turns.take(() => {
        rounds.push(round);
        if (at === last) resolve();
      });
    }
  });
  return rounds;
}

describe('Turns', () => {
  it('do as much in a round as there is time for', async () => {
    const aMinute = 60_000;
    expect(await roundsOfThree(new Turns(aMinute))).toEqual([2, 2, 2]);
  });

  it('do one thing in a round when it takes all the time', async () => {
    expect(await roundsOfThree(new Turns(0))).toEqual([2, 3, 4]);
  });

  it('do in a later round what is added in this one', async () => {
    const turns = new Turns(60_000);
    const done: string[] = [];
    await new Promise<void>((resolve) => {
      turns.take(() => {
        setImmediate(() => done.push('other'));
        turns.take(() => {
          done.push('added');
          resolve();
        });
      });
      turns.take(() => done.push('second'));
    });
    expect(done).toEqual(['second', 'other', 'added']);
  });
});
