import type { Pace } from '../../../platform/outbox/pace.js';
import { LaneRoom } from './lane-room.js';

describe('the room of lanes', () => {
  const takes = (lanes: Readonly<Partial<Record<Pace, number>>>): Pace | undefined => {
    const room = new LaneRoom(5);
    const of = (pace: Pace): { readonly pace: Pace }[] => Array.from({ length: lanes[pace] ?? 0 }, () => ({ pace }));
    room.count([...of('quick'), ...of('unknown'), ...of('slow')]);
    return room.takes;
  };

  it('is there for all while there is enough of it', () => {
    expect(takes({ quick: 200, unknown: 200, slow: 499 })).toBe('slow');
  });

  it('is not taken by slow lanes from the others', () => {
    expect(takes({ quick: 200, unknown: 200, slow: 500 })).toBe('unknown');
  });

  it('is not taken by those that have not answered yet from those that answer soon', () => {
    expect(takes({ unknown: 500 })).toBe('quick');
    expect(takes({ quick: 499, unknown: 500, slow: 500 })).toBe('quick');
  });

  it('is bounded', () => {
    expect(takes({ quick: 500 })).toBeUndefined();
    expect(takes({ unknown: 1_500, slow: 500 })).toBeUndefined();
  });
});
