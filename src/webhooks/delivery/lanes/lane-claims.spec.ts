import type { Uuid } from '../../../kernel/domain/uuid.js';
import { type Pace, PACES } from '../../../platform/outbox/pace.js';
import { LaneClaims, MOST_CLAIMS } from './lane-claims.js';
import type { Lease } from './lanes.js';

const lease = (pace: Pace, number: number): Lease => ({
  subscriptionId: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` as Uuid,
  token: String(number),
  pace,
});

/** Lanes that are due, of which those that are not quick stay unopened until they are told. */
function dueLanes(due: Lease[]) {
  const dispatched: Lease[] = [];
  const asked: Pace[] = [];
  const held: (() => void)[] = [];
  let wakes = 0;
  const claims = new LaneClaims({
    slowest: () => 'slow',
    claim: (most, slowest) => {
      asked.push(slowest);
      const fit = due.filter(({ pace }) => PACES.indexOf(pace) <= PACES.indexOf(slowest)).slice(0, most);
      for (const one of fit) due.splice(due.indexOf(one), 1);
      return Promise.resolve(fit);
    },
    dispatch: (claim) => {
      dispatched.push(claim);
      return claim.pace === 'quick' ? Promise.resolve() : new Promise((open) => held.push(open));
    },
    wake: () => {
      wakes += 1;
    },
  });
  const open = async (): Promise<void> => {
    for (const one of held.splice(0)) one();
    await claims.opened();
  };
  return { claims, dispatched, asked, open, wakes: () => wakes };
}

const unknown = (count: number, from = 0) => Array.from({ length: count }, (_, at) => lease('unknown', from + at));

describe('while lanes that are not known to be quick are opened', () => {
  it('quick ones are claimed and opened, and no others', async () => {
    const due = unknown(40);
    const { claims, dispatched, asked, open, wakes } = dueLanes(due);
    expect(await claims.claim()).toBe(true);
    expect(dispatched).toHaveLength(MOST_CLAIMS);

    const quick = lease('quick', 99);
    due.push(quick);
    expect(await claims.claim()).toBe(false);
    expect(dispatched.slice(MOST_CLAIMS)).toEqual([quick]);

    await open();
    expect(wakes()).toBe(1);
    await claims.claim();
    expect(dispatched).toHaveLength(2 * MOST_CLAIMS + 1);
    expect(asked).toEqual(['slow', 'quick', 'slow']);
    await open();
  });

  it('are all opened at last', async () => {
    const due = [lease('quick', 99), ...unknown(20)];
    const { claims, dispatched, open } = dueLanes(due);
    for (let round = 0; round < 3; round += 1) {
      await claims.claim();
      await open();
    }
    expect(due).toEqual([]);
    expect(dispatched).toHaveLength(21);
  });
});
