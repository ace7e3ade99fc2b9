import { setImmediate as nextTurn } from 'node:timers/promises';

import { ShaSecrets } from '../../../auth/system-clients/sha-secrets.js';
import { Secret } from '../../../config/secret.js';
import type { Uuid } from '../../../domain/uuid.js';
import type { DueDelivery, Held } from '../due-deliveries.js';
import type { SessionTools } from './lane-session.js';
import { LaneSession } from './lane-session.js';
import { ReadTurns } from './read-turns.js';

const id = (at: number): Uuid => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}` as Uuid;
const delivery = (at: number): DueDelivery => ({
  id: id(at),
  body: Buffer.from('{}'),
  correlationId: 'one',
  failures: 0,
  dueMs: 0,
  shaSecretGeneration: 0,
});

/** A lane whose due deliveries, and the moment in which each is noted, a test decides. */
class Lane {
  readonly noted = new Map<string, () => void>();
  readonly due: DueDelivery[] = [];
  released = false;

  readonly tools: SessionTools = {
    lanes: {
      release: () => {
        this.released = true;
        return Promise.resolve();
      },
    },
    due: {
      open: (claim) => Promise.resolve({ claim, held: this.held() }),
      take: () => Promise.resolve(this.held()),
    },
    turns: new ReadTurns(),
    settlements: {
      note: ({ deliveryId }) => new Promise((resolve) => this.noted.set(deliveryId, resolve)),
    },
    client: {
      exchange: () =>
        Promise.resolve({
          kind: 'answered',
          status: 200,
          headers: {},
          body: Buffer.alloc(0),
          whole: true,
          durationMs: 1,
        }),
    },
    metrics: { observe: () => undefined },
    userAgent: 'Matricula/0',
    scheduleSeconds: [1],
    leaseMs: 600_000,
    timeoutMs: 1_000,
    random: () => 0,
    onFault: (fault) => {
      throw fault;
    },
    isHolding: () => true,
    shareOf: () => ({ underWay: 5, read: { most: 10, bytes: 1_000_000 } }),
  };

  private held(): Held {
    return {
      callback: 'https://subscriber.example/hook',
      format: 'standard',
      secrets: new ShaSecrets({ generation: 0, sealed: '' }, [], () => new Secret('secret')),
      nowMs: 0,
      deliveries: this.due.splice(0),
      more: false,
    };
  }
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
};

describe('a session on a lane', () => {
  it('lets go of it when everything is noted, what was delivered while it waited for a note included', async () => {
    const lane = new Lane();
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
});
