import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { HeldCommands, type Pending } from './held-commands.js';
import { beingChanged } from './refusals.js';
import type { Outcome } from './write-batch.js';

const settled: (readonly [number, Outcome])[] = [];
/** The events of the attempts so far, and what ends the latest one. */
const attempted: number[] = [];
let answer: (outcome: Outcome) => void;
let released: number;
let held: HeldCommands;
beforeEach(() => {
  jest.useFakeTimers();
  settled.length = attempted.length = released = 0;
  held = new HeldCommands({
    attempt: (pending) => {
      attempted.push(pending.size);
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
    onReleased: () => {
      released += 1;
    },
  });
});
afterEach(() => {
  jest.useRealTimers();
});

const HELD = { kind: 'held', numbers: [] } as const;
const DONE = { kind: 'done', answer: 'done' } as const;
const REFUSED = { kind: 'refused', error: beingChanged() } as const;

function add(client: string, event: number): void {
  const eventId = aUuid(event);
  const command = { client, eventId, size: event, decide: () => ({ answer: undefined }) };
  const pending: Pending = {
    ...{ client, eventId, size: event, command },
    begin: () => undefined,
    refuse: () => undefined,
    settle: (outcome) => settled.push([event, outcome]),
  };
  held.add(pending, HELD);
}

async function end(outcome: Outcome): Promise<void> {
  answer(outcome);
  await jest.advanceTimersByTimeAsync(0);
}

describe('HeldCommands', () => {
  it('does one at a time, client by client, and goes on while their events are held', async () => {
    for (const event of [1, 2, 3]) add('a', event);
    add('b', 4);
    expect(attempted).toEqual([1]);
    for (const outcome of [HELD, DONE, HELD, HELD, DONE] as const) await end(outcome);
    expect(attempted).toEqual([1, 2, 4, 3, 4, 1]);
    expect(settled).toEqual([
      [2, DONE],
      [4, DONE],
    ]);
    expect([held.count, held.size, released]).toEqual([2, 4, 2]);
    expect([1, 2, 3, 4].map((event) => held.has(aUuid(event)))).toEqual([true, false, true, false]);
  });

  it('refuses what is not done in time, and begins again with what comes later', async () => {
    add('a', 1);
    add('a', 2);
    await jest.advanceTimersByTimeAsync(9_999);
    expect(settled).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(settled).toEqual([[2, REFUSED]]);
    await end(HELD);
    expect(settled).toEqual([
      [2, REFUSED],
      [1, REFUSED],
    ]);
    expect([held.count, released]).toEqual([0, 2]);
    add('a', 3);
    await end(DONE);
    expect([attempted, settled.at(-1), jest.getTimerCount()]).toEqual([[1, 3], [3, DONE], 0]);
  });

  it('has the one give way that came last, where there is no room', () => {
    for (let event = 1; event <= 2_002; event += 1) add('a', event);
    expect(settled).toMatchObject([[2_002, { kind: 'refused', error: { refusal: 'writes-waiting' } }]]);
    expect(held.count).toBe(2_001);
    expect(held.has(aUuid(2_002))).toBe(false);
  });
});
