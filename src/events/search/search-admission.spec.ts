import { Refusals } from '../../platform/queue/refusals.js';
import { readConfig } from '../../platform/config/read-config.js';
import { SearchAdmission, type Weight } from './search-admission.js';

const hungUp = new AbortController().signal;

function admissionWith(environment: Readonly<Record<string, string>>): SearchAdmission {
  const refusals = new Refusals();
  const config = readConfig({ DATABASE_POOL_SIZE: '6', ...environment });
  return new SearchAdmission(config, refusals, { size: 2 });
}

/** Searches that last until they are told to end, and record when they begin. */
class Searches {
  readonly begun: string[] = [];
  private readonly ends: (() => void)[] = [];

  constructor(private readonly admission: SearchAdmission) {}

  ask(name: string, weight: Weight): Promise<string> {
    return this.admission.run({ client: name.slice(0, 1), hungUp }, ({ inTurn }) =>
      inTurn(weight, () => {
        this.begun.push(name);
        return new Promise((resolve) => {
          this.ends.push(() => {
            resolve(name);
          });
        });
      }),
    );
  }

  async endOne(): Promise<void> {
    this.ends.shift()?.();
    await settled();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => jest.useRealTimers());

describe('the admission of searches', () => {
  it('has as many heavy ones done at a time as it is told, and light ones beside them', async () => {
    const searches = new Searches(admissionWith({ SEARCH_HEAVY_AT_ONCE: '2' }));
    const asked = ['x1', 'x2', 'y1', 'z1'].map((name) => searches.ask(name, 'heavy'));
    asked.push(searches.ask('light', 'light'));
    await settled();
    expect(searches.begun).toEqual(['x1', 'y1', 'light']);
    await searches.endOne();
    expect(searches.begun.slice(3)).toEqual(['x2']);
    await searches.endOne();
    expect(searches.begun.slice(4)).toEqual(['z1']);
    for (let left = asked.length; left > 0; left -= 1) await searches.endOne();
    expect(await Promise.all(asked)).toEqual(['x1', 'x2', 'y1', 'z1', 'light']);
  });

  it('refuses, by name, what has no turn within half of its time, and leaves the rest to what has', async () => {
    const searches = new Searches(admissionWith({ SEARCH_TIMEOUT_SECONDS: '2', SEARCH_HEAVY_AT_ONCE: '2' }));
    const first = searches.ask('x1', 'heavy');
    const refused = expect(searches.ask('x2', 'heavy')).rejects.toMatchObject({
      status: 503,
      refusal: 'no-turn',
      message: 'The search waited 1 s for its turn, and was given up before it began; try again later',
    });
    await jest.advanceTimersByTimeAsync(1_000);
    await refused;
    expect(searches.begun).toEqual(['x1']);
    await searches.endOne();
    expect(await first).toBe('x1');
  });

  it('does not count the time of its work as waiting', async () => {
    const admission = admissionWith({ SEARCH_TIMEOUT_SECONDS: '2' });
    const lasting = admission.run({ client: 'x', hungUp }, ({ inTurn, signal }) =>
      inTurn('heavy', async () => {
        await jest.advanceTimersByTimeAsync(1_100);
        return signal.aborted;
      }),
    );
    expect(await lasting).toBe(false);
  });
});
