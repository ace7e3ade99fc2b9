import { setImmediate as nextTurn } from 'node:timers/promises';

import { ANSWERED, delivery, id, ScriptedLane } from '../../../../test/support/scripted-lane.js';
import type { Pace } from '../../../platform/outbox/pace.js';
import { LaneSession } from './lane-session.js';

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
};

describe('what a session may still send', () => {
  let laterMs: number;
  beforeEach(() => {
    laterMs = 0;
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + laterMs);
  });
  afterEach(() => jest.restoreAllMocks());

  /** Later than that, an exchange could last longer than the lease. */
  const usableMs = ({ tools }: ScriptedLane): number => tools.leaseMs - tools.timeoutMs - 5_000;
  const opened = async (
    lane: ScriptedLane,
    pace: Pace,
  ): Promise<{ readonly session: LaneSession; readonly run: Promise<boolean> }> => {
    const session = new LaneSession({ subscriptionId: id(0), token: 'claim', pace }, lane.tools);
    await session.open();
    const run = session.run();
    await settled();
    return { session, run };
  };
  const end = async (lane: ScriptedLane, run: Promise<boolean>): Promise<boolean> => {
    for (const note of lane.noted.values()) note();
    return run;
  };

  it('is nothing that has waited for its turn until an exchange could outlast the lease', async () => {
    const lane = new ScriptedLane();
    lane.notesAtOnce = true;
    const turns = Array.from({ length: 8 }, () => lane.tools.beginnings.take('slow', 'a client'));
    lane.due.push(delivery(1));
    const { session, run } = await opened(lane, 'slow');
    laterMs = usableMs(lane) + 1;
    session.confirm(performance.now(), false);
    for (const letGo of await Promise.all(turns)) letGo();
    await run;
    expect([lane.notes, lane.released]).toEqual([[], true]);
  });

  it('is nothing of a reading so long that an exchange could outlast the lease: it began with the reading', async () => {
    const lane = new ScriptedLane();
    lane.lingers = true;
    lane.due.push(delivery(1));
    const { session, run } = await opened(lane, 'quick');
    lane.due.push(delivery(2));
    const arrive = lane.holdReading();
    session.wake();
    await settled();
    laterMs = usableMs(lane) + 1;
    session.confirm(performance.now(), false);
    arrive();
    await settled();
    // Read again under a lease that was renewed.
    expect([lane.notes, lane.reads]).toEqual([[id(1)], 3]);
    session.finish();
    await end(lane, run);
  });

  it('is nothing while the latest check of its lease began too long ago, and goes on with a later one', async () => {
    const lane = new ScriptedLane();
    lane.lingers = true;
    lane.due.push(delivery(1));
    const { session, run } = await opened(lane, 'quick');
    laterMs = 5_000;
    session.confirm(performance.now() - 1_900, false);
    session.offer({ subscriptionId: id(0), currentShaSecret: 0, delivery: delivery(2) });
    await settled();
    expect(lane.notes).toEqual([id(1)]);
    session.confirm(performance.now(), false);
    await settled();
    expect(lane.notes).toEqual([1, 2].map(id));
    session.finish();
    await end(lane, run);
  });

  it('is what was withdrawn before it was sent, once it is read again', async () => {
    const lane = new ScriptedLane();
    lane.answers = false;
    lane.due.push(delivery(1));
    const { run } = await opened(lane, 'quick');
    lane.due.push(delivery(1));
    lane.asked.shift()?.({ kind: 'withdrawn', durationMs: 1 });
    await settled();
    lane.asked.shift()?.(ANSWERED);
    await settled();
    expect([lane.notes, lane.reads]).toEqual([[id(1)], 2]);
    await end(lane, run);
  });

  it('is nothing more once the subscriber has answered 410', async () => {
    const lane = new ScriptedLane();
    lane.answers = false;
    lane.due.push(...[1, 2, 3].map(delivery));
    const { run } = await opened(lane, 'unknown');
    lane.asked.shift()?.({ ...ANSWERED, status: 410 } as typeof ANSWERED);
    await settled();
    expect([lane.notes, lane.asked]).toEqual([[id(1)], []]);
    await end(lane, run);
  });

  it('is looked for by others where it became due while the lane was let go', async () => {
    const lane = new ScriptedLane();
    lane.due.push(delivery(1));
    const release = (): Promise<void> => {
      session.wake();
      return Promise.resolve();
    };
    const session = new LaneSession(
      { subscriptionId: id(0), token: 'claim', pace: 'quick' },
      { ...lane.tools, lanes: { release } },
    );
    await session.open();
    const run = session.run();
    await settled();
    expect(await end(lane, run)).toBe(true);
  });
});
