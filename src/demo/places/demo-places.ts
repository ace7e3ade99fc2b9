import { Prng } from '../prng.js';
import type { AreaEntry, LocationEntry, LocationsFile } from './locations-file.js';
import { drawPlaceTree } from './place-tree.js';

/**
 * The places of the demonstration country of `seed`, as `matricula import locations` takes them: provinces,
 * districts, wards and villages, with the registration offices and health facilities that `demoRecords` refers to.
 */
export function demoPlaces(seed: number): LocationsFile {
  const administrativeAreas: AreaEntry[] = [];
  const locations: LocationEntry[] = [];
  for (const province of drawPlaceTree(new Prng(seed, 'country'))) {
    administrativeAreas.push(province.area);
    locations.push(province.office, province.hospital);
    for (const district of province.districts) {
      administrativeAreas.push(district.area);
      locations.push(district.office, district.hospital);
      for (const ward of district.wards) {
        administrativeAreas.push(ward.area, ...ward.villages);
        locations.push(ward.office);
        if (ward.healthCentre !== undefined) locations.push(ward.healthCentre);
      }
    }
  }
  return { administrativeAreas, locations };
}
