import { parseUuid } from '../src/kernel/domain/uuid.js';
import { parseLocationsFile } from '../src/auth/locations/import-locations.js';
import { demoPlaces } from './places.js';

describe('the places of the demonstration country', () => {
  const { administrativeAreas, locations } = demoPlaces(1);
  const parents = new Map(administrativeAreas.map((area) => [area.id as string, area.partOf as string | null]));

  const levelOf = (id: string | null | undefined): number =>
    id === null || id === undefined ? 0 : 1 + levelOf(parents.get(id));

  it('are 8 provinces, 40 districts, 160 wards and some four hundred villages', () => {
    const levels = [0, 0, 0, 0];
    for (const area of administrativeAreas) levels[levelOf(area.id) - 1] = (levels[levelOf(area.id) - 1] ?? 0) + 1;
    const villages = levels.pop() ?? 0;
    expect(levels).toEqual([8, 40, 160]);
    expect(villages).toBeGreaterThan(350);
    expect(villages).toBeLessThan(450);
  });

  it('hold a few hundred offices and health facilities', () => {
    const count = (type: string): number => locations.filter(({ locationType }) => locationType === type).length;
    expect(count('CRVS_OFFICE')).toBe(208);
    expect(count('HEALTH_FACILITY')).toBeGreaterThan(150);
  });

  it('name only parents that are there, before their children', () => {
    const known = new Set<string>();
    for (const { id, partOf } of administrativeAreas) {
      expect(partOf === null || known.has(partOf)).toBe(true);
      known.add(id);
    }
    expect(locations.filter(({ partOf }) => !known.has(partOf))).toEqual([]);
  });

  it('are taken by the import without a fault', () => {
    const places = parseLocationsFile({ administrativeAreas, locations }, new Map());
    expect(places).toHaveLength(administrativeAreas.length + locations.length);
  });

  it('have ids and names of their own', () => {
    const places = [...administrativeAreas, ...locations];
    expect(places.filter(({ id }) => parseUuid(id) !== id)).toEqual([]);
    expect(new Set(places.map(({ id }) => id)).size).toBe(places.length);
    expect(new Set(administrativeAreas.map(({ name }) => name)).size).toBe(administrativeAreas.length);
  });

  it('are the same for the same seed, and others for another', () => {
    expect(demoPlaces(1)).toEqual({ administrativeAreas, locations });
    expect(demoPlaces(2).administrativeAreas[0]).not.toEqual(administrativeAreas[0]);
  });
});
