import { setImmediate as nextTurn } from 'node:timers/promises';

import { ANSWERED, delivery, id, ScriptedLane } from '../../../../test/support/scripted-lane.js';
import type { Offer } from './lane-offers.js';
import { LaneSession } from './lane-session.js';

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
};

describe('a session on a lane', () => {
  it('lets go of it when everything is noted, what was delivered while it waited for a note included', async () => {
    const lane = new ScriptedLane();
    lane.due.push(delivery(1));
    const session = new LaneSession({ subscriptionId: id(0), token: 'claim', pace: 'quick' }, lane.tools);
    await session.open();
    const run = session.run();
    await settled();
    expect([...lane.noted.keys()]).toEqual([id(1)]);

    lane.due.push(delivery(2));
    session.wake();
    await settled();
    expect([...lane.noted.keys()]).toEqual([id(1), id(2)]);

    lane.noted.get(id(1))?.();
    await settled();
    expect(lane.released).toBe(false);
    lane.noted.get(id(2))?.();
    await run;
    expect(lane.released).toBe(true);
  });

  it('begins with whom it does not know to answer what such may have, and more once it does', async () => {
    const lane = new ScriptedLane();
    lane.answers = false;
    lane.due.push(...[1, 2, 3, 4, 5, 6, 7].map(delivery));
    const session = new LaneSession({ subscriptionId: id(0), token: 'claim', pace: 'unknown' }, lane.tools);
    await session.open();
    const run = session.run();
    await settled();
    expect(lane.asked).toHaveLength(1);
    lane.asked.shift()?.(ANSWERED);
    await settled();
    expect(lane.asked).toHaveLength(5);
    lane.asked.shift()?.({ kind: 'unreachable', errorClass: 'timeout', code: '', durationMs: 1_000 });
    await settled();
    expect(lane.asked).toHaveLength(4);

    session.finish();
    lane.asked.forEach((answer) => {
      answer(ANSWERED);
    });
    await settled();
    for (const note of lane.noted.values()) note();
    await run;
  });

  it('begins nothing that waits for its turn when it is to finish', async () => {
    const lane = new ScriptedLane();
    const held = Array.from({ length: 8 }, () => lane.tools.beginnings.take('slow', 'a client'));
    lane.due.push(delivery(1));
    const session = new LaneSession({ subscriptionId: id(0), token: 'claim', pace: 'slow' }, lane.tools);
    await session.open();
    const run = session.run();
    await settled();
    session.finish();
    for (const turn of held) (await turn)();
    await run;
    expect([lane.released, lane.noted.size]).toEqual([true, 0]);
  });

  it('begins nothing before it runs, and says that it leaves what it was to deliver', async () => {
    const lane = new ScriptedLane();
    lane.due.push(delivery(1));
    const session = new LaneSession({ subscriptionId: id(0), token: 'claim', pace: 'quick' }, lane.tools);
    await session.open();
    session.offer({ subscriptionId: id(0), currentShaSecret: 0, delivery: delivery(2) });
    await settled();
    session.revoke();
    // What it leaves is looked for by others at once.
    expect([await session.run(), lane.released, lane.notes]).toEqual([true, true, []]);
  });

  it('fails as its reading did, when what was in progress is recorded and it has let go of the lane', async () => {
    const lane = new ScriptedLane();
    lane.due.push(delivery(1));
    const due = { ...lane.tools.due, take: () => Promise.reject(new Error('invalid page in block 7')) };
    const session = new LaneSession({ subscriptionId: id(0), token: 'claim', pace: 'quick' }, { ...lane.tools, due });
    await session.open();
    let ended = false;
    const run = session.run().finally(() => (ended = true));
    const failed = expect(run).rejects.toThrow('invalid page in block 7');
    await settled();
    session.wake();
    await settled();
    expect([ended, lane.released]).toEqual([false, false]);
    lane.noted.get(id(1))?.();
    await failed;
    expect(lane.released).toBe(true);
  });

  describe('that is kept for a moment', () => {
    const opened = async (
      lane: ScriptedLane,
    ): Promise<{ readonly session: LaneSession; readonly run: Promise<boolean> }> => {
      lane.lingers = true;
      lane.due.push(delivery(1));
      const session = new LaneSession({ subscriptionId: id(0), token: 'claim', pace: 'quick' }, lane.tools);
      await session.open();
      const run = session.run();
      await settled();
      lane.noted.get(id(1))?.();
      await settled();
      return { session, run };
    };
    const offer = (at: number): Offer => ({
      subscriptionId: id(0),
      currentShaSecret: 0,
      delivery: delivery(at),
    });

    it('sends at once what it is offered, without reading it', async () => {
      const lane = new ScriptedLane();
      const { session, run } = await opened(lane);
      const { reads } = lane;
      expect([lane.released, session.offer(offer(2))]).toEqual([false, true]);
      await settled();
      expect([[...lane.noted.keys()], lane.reads]).toEqual([[id(1), id(2)], reads]);
      lane.noted.get(id(2))?.();
      session.finish();
      await run;
      expect([lane.released, session.offer(offer(3))]).toEqual([true, false]);
    });

    it('lets go of it when nothing has come for a second', async () => {
      const lane = new ScriptedLane();
      const { run } = await opened(lane);
      expect(lane.released).toBe(false);
      expect(await run).toBe(false);
      expect(lane.released).toBe(true);
    });

    it('sends once what it is offered while it reads, and what was noted before the reading ended', async () => {
      const lane = new ScriptedLane();
      const { session, run } = await opened(lane);
      lane.due.push(delivery(2), delivery(3));
      const read = lane.holdReading();
      session.wake();
      session.offer(offer(2));
      session.offer(offer(3));
      await settled();
      lane.noted.get(id(2))?.();
      await settled();
      read();
      await settled();
      lane.noted.get(id(3))?.();
      session.finish();
      await run;
      expect(lane.notes).toEqual([1, 2, 3].map(id));
    });

    it('sends once what it has read and delivered before it is offered: the answer to the commit came late', async () => {
      const lane = new ScriptedLane();
      const { session, run } = await opened(lane);
      lane.due.push(delivery(2));
      session.wake();
      await settled();
      lane.noted.get(id(2))?.();
      await settled();
      expect(session.offer(offer(2))).toBe(true);
      await settled();
      expect(lane.notes).toEqual([1, 2].map(id));
      session.finish();
      await run;
    });

    it('reads what it is offered beside a secret that it does not know', async () => {
      const lane = new ScriptedLane();
      const { session, run } = await opened(lane);
      const { reads } = lane;
      session.offer({ ...offer(2), currentShaSecret: 1 });
      await settled();
      expect([lane.reads, lane.noted.size]).toEqual([reads + 1, 1]);
      session.revoke();
      await run;
    });

    it('reads when its lease is checked only if more is due', async () => {
      const lane = new ScriptedLane();
      const { session, run } = await opened(lane);
      const { reads } = lane;
      session.confirm(performance.now(), false);
      await settled();
      expect(lane.reads).toBe(reads);
      session.confirm(performance.now(), true);
      await settled();
      expect(lane.reads).toBe(reads + 1);
      session.finish();
      await run;
    });

    it('reads, which renews its lease, long before the lease is too short for an exchange', async () => {
      const lane = new ScriptedLane();
      const { session, run } = await opened(lane);
      const { reads } = lane;
      const muchLaterMs = performance.now() + 0.7 * lane.tools.leaseMs;
      const clock = jest.spyOn(performance, 'now').mockReturnValue(muchLaterMs);
      session.confirm(muchLaterMs, false);
      clock.mockRestore();
      await settled();
      expect(lane.reads).toBe(reads + 1);
      session.finish();
      await run;
    });

    it('begins nothing that it is offered once its lease is not known to be valid', async () => {
      const lane = new ScriptedLane();
      const { session, run } = await opened(lane);
      // Meanwhile the process was not known to be alive, and others could claim the lane.
      lane.heldMs = performance.now();
      session.offer(offer(2));
      await settled();
      session.revoke();
      expect(session.offer(offer(3))).toBe(false);
      await run;
      expect(lane.notes).toEqual([id(1)]);
    });
  });
});
