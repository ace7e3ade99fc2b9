import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { Hierarchy } from './hierarchy-cache.js';

const country = aUuid(1);
const province = aUuid(2);
const district = aUuid(3);
const office = aUuid(4);
const elsewhere = aUuid(5);

const hierarchy = new Hierarchy([
  { id: office, partOf: district },
  { id: district, partOf: province },
  { id: elsewhere, partOf: null },
  { id: province, partOf: country },
  { id: country, partOf: null },
]);

describe('the hierarchy', () => {
  it('has below a place the place itself and everything in it', () => {
    expect(hierarchy.below(country)).toEqual([country, province, district, office]);
    expect(hierarchy.below(district)).toEqual([district, office]);
    expect(hierarchy.below(office)).toEqual([office]);
    expect(hierarchy.below(elsewhere)).toEqual([elsewhere]);
  });

  it('has nothing below or above an unknown place', () => {
    expect(hierarchy.below(aUuid(9))).toEqual([]);
    expect(hierarchy.below('nonsense')).toEqual([]);
    expect(hierarchy.ancestors(aUuid(9))).toEqual([]);
  });

  it('has above a place what contains it, the nearest first', () => {
    expect(hierarchy.ancestors(office)).toEqual([district, province, country]);
    expect(hierarchy.ancestors(country)).toEqual([]);
  });

  it('knows whether a place lies within an area as the list below it does', () => {
    const places = [country, province, district, office, elsewhere, aUuid(9), 'nonsense'];
    for (const area of places) {
      const within = places.filter((place) => hierarchy.isWithin(place, area));
      expect(new Set(within)).toEqual(new Set(hierarchy.below(area)));
    }
  });

  it('knows which places are areas and which are locations', () => {
    const kinds = new Hierarchy([
      { id: district, partOf: null, kind: 'administrativeArea' },
      { id: office, partOf: district, kind: 'location' },
    ]);
    expect([district, office, elsewhere, 'nonsense'].map((id) => kinds.kindOf(id))).toEqual([
      'administrativeArea',
      'location',
      undefined,
      undefined,
    ]);
  });

  it('has a place that is added wherever it belongs, and only there', () => {
    const growing = new Hierarchy([
      { id: country, partOf: null },
      { id: district, partOf: country },
      { id: elsewhere, partOf: null },
    ]);
    const before = [country, district, elsewhere, office].map((id) => growing.below(id).length);
    growing.add({ id: office, partOf: district });
    const after = [country, district, elsewhere, office].map((id) => growing.below(id).length);
    expect([before, after]).toEqual([
      [2, 1, 1, 0],
      [3, 2, 1, 1],
    ]);
    expect([growing.isWithin(office, country), growing.ancestors(office)]).toEqual([true, [district, country]]);
  });

  it('answers the same list again without looking for it', () => {
    expect(hierarchy.below(country)).toBe(hierarchy.below(country));
  });

  it('comes to an end even where places contain each other', () => {
    const circular = new Hierarchy([
      { id: country, partOf: province },
      { id: province, partOf: country },
    ]);
    expect(circular.below(country)).toEqual([country, province]);
    expect(circular.ancestors(country)).toEqual([province, country]);
  });

  it('holds a chain of a hundred thousand places', () => {
    const chain = Array.from({ length: 100_000 }, (_, at) => ({
      id: aUuid(at + 1),
      partOf: at === 0 ? null : aUuid(at),
    }));
    const deep = new Hierarchy(chain);
    expect(deep.below(aUuid(1))).toHaveLength(100_000);
    expect(deep.ancestors(aUuid(100_000))).toHaveLength(99_999);
  });
});
