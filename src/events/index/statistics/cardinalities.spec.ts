import { KnownCardinalities, type Statistics } from './cardinalities.js';

const NO_LOCATIONS = new Map<string, number>();
const NO_COMMON = new Map<number, number>();
const NO_INSTANTS = { common: NO_COMMON, boundsMs: [], present: 0 };

const sizesOf = (statistics: Partial<Statistics> = {}): KnownCardinalities =>
  new KnownCardinalities({
    records: 1_000,
    terms: new Map([
      [1n, 0.5],
      [2n, 0.01],
    ]),
    locations: {
      created_at_location: new Map([
        ['a', 0.3],
        ['b', 0.02],
      ]),
      updated_at_location: NO_LOCATIONS,
      declared_created_at_location: NO_LOCATIONS,
      registered_created_at_location: NO_LOCATIONS,
      place_of_event: NO_LOCATIONS,
      notified_created_at_location: NO_LOCATIONS,
    },
    instants: {
      created_at: { common: NO_COMMON, boundsMs: [0, 100, 200, 400], present: 1 },
      updated_at: NO_INSTANTS,
      registered_accepted_at: { common: new Map([[50, 0.2]]), boundsMs: [0, 100], present: 0.8 },
    },
    ...statistics,
  });

describe('what is known of frequencies', () => {
  it('says how many records have a term, and of an unknown one that it is as rare as the rarest that is known', () => {
    const cardinalities = sizesOf();
    expect([1n, 2n, 3n].map((term) => cardinalities.ofTerm(term))).toEqual([500, 10, 10]);
    expect(cardinalities.ofRareTerm).toBe(10);
    expect(sizesOf({ terms: new Map() }).ofTerm(1n)).toBe(0);
  });

  it('adds locations up, whether they are known or not', () => {
    const cardinalities = sizesOf();
    expect(cardinalities.ofLocations('created_at_location', ['a', 'b', 'c'])).toBeCloseTo(340, 6);
    expect(cardinalities.ofLocations('updated_at_location', ['a'])).toBe(0);
  });

  it.each([
    ['half of the first quarter', 0, 50, 1_000 / 6],
    ['everything', -1_000, 1_000, 1_000],
    ['between two bounds', 150, 300, 1_000 / 3],
    ['before the first', -100, -1, 0],
    ['what is newer than anything known', 500, 600, 0],
    ['an interval that ends before it begins', 300, 100, 0],
  ])('reads a histogram: %s', (_, fromMs, beforeMs, expected) => {
    expect(sizesOf().ofInstants('created_at', fromMs, beforeMs)).toBeCloseTo(expected, 6);
  });

  it('counts instants that are frequent by themselves', () => {
    const ofInstants = (fromMs: number, beforeMs: number) =>
      sizesOf().ofInstants('registered_accepted_at', fromMs, beforeMs);
    expect(ofInstants(0, 50)).toBeCloseTo(300, 6);
    expect(ofInstants(50, 51)).toBeCloseTo(206, 6);
  });

  it('counts only the records that have an instant', () => {
    expect(sizesOf().ofInstants('registered_accepted_at', 0, 100)).toBeCloseTo(800, 6);
    expect(sizesOf().ofInstants('updated_at', 0, 100)).toBe(0);
  });
});
