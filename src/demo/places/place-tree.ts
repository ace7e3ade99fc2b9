import type { Uuid } from '../../domain/uuid.js';
import { drawUuid } from '../draw-uuid.js';
import type { Population } from '../names/cultures.js';
import type { Prng } from '../prng.js';
import type { AreaEntry, LocationEntry } from './locations-file.js';
import { PlaceNames } from './place-names.js';
import { type Region, REGIONS } from './regions.js';

const DISTRICTS_OF_A_PROVINCE = 5;
const WARDS_OF_A_DISTRICT = 4;
/** The share of wards that have a health centre; the others go to the hospital of the district. */
const WARDS_WITH_A_HEALTH_CENTRE = 0.85;

/** A ward with its villages. */
export interface WardPlace {
  readonly area: AreaEntry;
  readonly villages: readonly AreaEntry[];
  readonly office: LocationEntry;
  readonly healthCentre: LocationEntry | undefined;
  /** Its share of the country's events. */
  readonly weight: number;
}

/** A district with its wards. */
export interface DistrictPlace {
  readonly area: AreaEntry;
  readonly office: LocationEntry;
  readonly hospital: LocationEntry;
  readonly wards: readonly WardPlace[];
}

/** A province with its districts. */
export interface ProvincePlace {
  readonly area: AreaEntry;
  readonly office: LocationEntry;
  readonly hospital: LocationEntry;
  readonly population: Population;
  readonly districts: readonly DistrictPlace[];
}

/** Draws the provinces of a country, each with its districts, their wards, and the villages of those. */
export function drawPlaceTree(prng: Prng): readonly ProvincePlace[] {
  const names = new PlaceNames();

  const area = (region: Region, partOf: Uuid | null): AreaEntry => ({
    id: drawUuid(prng),
    name: names.draw(prng, region.naming),
    partOf,
  });

  const province = (region: Region): ProvincePlace => {
    const own = area(region, null);
    return {
      area: own,
      office: place(prng, own, 'Provincial Registry', 'CRVS_OFFICE'),
      hospital: place(prng, own, 'Central Hospital', 'HEALTH_FACILITY'),
      population: region.population,
      districts: Array.from({ length: DISTRICTS_OF_A_PROVINCE }, (_, rank) =>
        district(region, own, region.weight / (rank + 2)),
      ),
    };
  };

  const district = (region: Region, partOf: AreaEntry, weight: number): DistrictPlace => {
    const own = area(region, partOf.id);
    return {
      area: own,
      office: place(prng, own, 'District Registry', 'CRVS_OFFICE'),
      hospital: place(
        prng,
        own,
        prng.pick(['District Hospital', 'General Hospital', 'Mission Hospital']),
        'HEALTH_FACILITY',
      ),
      wards: Array.from({ length: WARDS_OF_A_DISTRICT }, (_, rank) => ward(region, own, weight / (rank + 1.5))),
    };
  };

  const ward = (region: Region, partOf: AreaEntry, weight: number): WardPlace => {
    const own = area(region, partOf.id);
    return {
      area: own,
      villages: Array.from({ length: prng.between(2, 3) }, () => area(region, own.id)),
      office: place(prng, own, 'Registration Post', 'CRVS_OFFICE'),
      healthCentre: prng.chance(WARDS_WITH_A_HEALTH_CENTRE)
        ? place(prng, own, prng.pick(['Health Centre', 'Clinic', 'Maternity Clinic', 'Health Post']), 'HEALTH_FACILITY')
        : undefined,
      weight,
    };
  };

  return REGIONS.map(province);
}

const place = (
  prng: Prng,
  area: AreaEntry,
  what: string,
  locationType: LocationEntry['locationType'],
): LocationEntry => ({ id: drawUuid(prng), name: `${area.name} ${what}`, partOf: area.id, locationType });
