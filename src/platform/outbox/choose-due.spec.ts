import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { chooseDue, COUNTRY_BOUNDS, type Due, type Pace } from './leases.js';

/** As those of confirmations are. */
interface Kind {
  readonly eventType: string;
}

const PACES: Readonly<Record<string, Pace>> = { birth: 'quick', death: 'slow', divorce: 'slow', marriage: 'unknown' };

const kind = (eventType: string, claimed: number, due: number): Kind & Due => ({
  ...{ eventType, claimed },
  due: Array.from({ length: due }, (_, at) => aUuid(eventType.charCodeAt(0) * 256 + eventType.length * 32 + at)),
});

/** How many of each kind are chosen. */
const chosen = (...kinds: readonly (Kind & Due)[]): readonly number[] => {
  const ids = new Set(chooseDue(kinds, ({ eventType }) => PACES[eventType] ?? 'unknown', COUNTRY_BOUNDS));
  return kinds.map(({ due }) => due.filter((id) => ids.has(id)).length);
};

describe('which confirmations are claimed (E-15)', () => {
  it('are at most twenty at a time, whatever their kind', () => {
    expect(chosen(kind('birth', 0, 15), kind('marriage', 0, 15), kind('death', 0, 15))).toEqual([15, 5, 0]);
    expect(chosen(kind('birth', 12, 15), kind('marriage', 5, 0))).toEqual([3, 0]);
    expect(chosen(kind('birth', 20, 15))).toEqual([0]);
  });

  it('are of one kind never so many that others find no place', () => {
    expect(chosen(kind('birth', 0, 100))).toEqual([15]);
    expect(chosen(kind('marriage', 2, 100))).toEqual([3]);
    expect(chosen(kind('death', 5, 100))).toEqual([0]);
  });

  it('are slow at most by half', () => {
    expect(chosen(kind('death', 4, 9), kind('divorce', 4, 9))).toEqual([1, 1]);
    expect(chosen(kind('death', 5, 9), kind('divorce', 5, 9), kind('birth', 0, 9))).toEqual([0, 0, 9]);
  });

  it('are those that have been due for longest', () => {
    const { due, ...birth } = kind('birth', 12, 9);
    expect(chooseDue([{ ...birth, due }], () => 'quick', COUNTRY_BOUNDS)).toEqual(due.slice(0, 3));
  });
});

describe('what is claimed of an outbox with a share for each pace (W-9)', () => {
  const bounds = {
    all: 20,
    ofPace: { quick: 6, unknown: 3, slow: 4 },
    ofAKind: { quick: 6, unknown: 3, slow: 4 },
    atATime: 10,
  };

  it('leaves the others their share, however much has turned slow', () => {
    const kinds = [kind('death', 9, 9), kind('birth', 0, 9), kind('marriage', 0, 9)];
    const ids = new Set(chooseDue(kinds, ({ eventType }) => PACES[eventType] ?? 'unknown', bounds));
    expect(kinds.map(({ due }) => due.filter((id) => ids.has(id)).length)).toEqual([0, 6, 3]);
  });

  it('takes turns among kinds that are equally quick, and no more than asked for at a time', () => {
    const [death, divorce] = [kind('death', 0, 3), kind('divorce', 0, 1)];
    const few = { ...bounds, atATime: 3 };
    expect(chooseDue([death, divorce], () => 'slow', few)).toEqual([death.due[0], divorce.due[0], death.due[1]]);
  });
});
