import type { Uuid } from '../domain/uuid.js';
import { Hierarchy } from './hierarchy.js';

const [province, district, office, elsewhere] = ['province', 'district', 'office', 'elsewhere'] as unknown as [
  Uuid,
  Uuid,
  Uuid,
  Uuid,
];
const hierarchy = new Hierarchy([
  { id: office, partOf: district },
  { id: province, partOf: null },
  { id: district, partOf: province },
  { id: elsewhere, partOf: null },
]);

describe('Hierarchy', () => {
  it('finds a place and everything below it, however the places were ordered', () => {
    expect([province, district, office, elsewhere].map((id) => hierarchy.below(id))).toEqual([
      [province, district, office],
      [district, office],
      [office],
      [elsewhere],
    ]);
    expect(hierarchy.below(province)).toBe(hierarchy.below(province));
  });

  it('finds nothing below an unknown place', () => {
    expect(hierarchy.below('nowhere')).toEqual([]);
  });

  it('names what contains a place, the nearest first', () => {
    expect([hierarchy.ancestors(office), hierarchy.ancestors(province), hierarchy.ancestors('nowhere')]).toEqual([
      [district, province],
      [],
      [],
    ]);
  });
});
